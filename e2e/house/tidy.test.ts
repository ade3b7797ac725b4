import { expect, test } from "vitest";
import { DESK, demoPerson, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const head = await demoPerson(house, "qinghe01");

const BOOKING = "/configuration/BookingManagement";
const TABBED = [
  `${BOOKING}?tab=all`,
  `${BOOKING}?tab=reservation`,
  "/configuration/AgentManagement",
  "/configuration/AgentManagement?tab=settle",
  "/configuration/MessageManagement?tab=log",
  "/configuration/ApartmentSync",
];

test("a list below tabs stands over the height of the window, its pages and sums in sight", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  const settled = settling(page);
  for (const path of TABBED) {
    await page.goto(`${base}${path}`);
    await page.locator(".pager").waitFor();
    await settled();
    const { bottom, rest } = await page.evaluate(() => {
      const body = document.querySelector(".body")!;
      const pager = document.querySelector(".pager")!.getBoundingClientRect();
      return { bottom: pager.bottom, rest: body.scrollHeight - body.clientHeight };
    });
    expect({ path, rest }).toEqual({ path, rest: 0 });
    expect(bottom).toBeGreaterThan(DESK.height - 40);
    expect(bottom).toBeLessThanOrEqual(DESK.height);
  }
  expect(errors).toEqual([]);
});

test("table and board, week and list are chosen beside the tabs, and the tab keeps the focus", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  await page.goto(`${base}${BOOKING}?tab=all`);
  await page.getByRole("radio", { name: "看板" }).click();
  await page.getByRole("list", { name: "客源看板" }).waitFor();
  await page.getByRole("button", { name: "新增客源" }).waitFor();
  await page.getByRole("tab", { name: "公海" }).click();
  await page.getByRole("tab", { name: "公海", selected: true }).press("ArrowRight");
  await page.getByRole("region", { name: "看房周历" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("看房");
  await page.getByRole("radio", { name: "列表" }).click();
  await page.locator(".pager").waitFor();
  expect(errors).toEqual([]);
});

test("an empty form says of everything that is missing at once", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  await page.goto(`${base}${BOOKING}?tab=viewing`);
  await page.getByRole("button", { name: "预约看房" }).click();
  const form = page.getByRole("dialog", { name: "预约看房" });
  await form.getByRole("button", { name: "预约", exact: true }).click();
  await form.getByText("5 处需要修改").waitFor();
  for (const said of ["请输入姓名", "请输入手机", "请选择门店", "请选择房间", "请选择看房时间"])
    await form.getByRole("alert").filter({ hasText: said }).waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the figures of a card have their words and its acts are there", async () => {
  const { page, errors } = await open({ as: head, size: PHONE });
  await page.goto(`${base}/configuration/MerchantManage`);
  const card = page.locator("article").first();
  await card.getByText("欠费").waitFor();
  await card.getByRole("button", { name: "编辑" }).waitFor();
  const total = await page.locator(".cards__sums > div").first().innerText();
  expect(total).toMatch(/^合计\s+\d+ 户$/);
  await page.goto(`${base}/configuration/MessageManagement?tab=log`);
  await page.locator("article").first().waitFor();
  const wide = await page.evaluate(() =>
    [...document.querySelectorAll(".cards__line")].filter((line) => line.scrollWidth > line.clientWidth + 1),
  );
  expect(wide).toEqual([]);
  expect(errors).toEqual([]);
});
