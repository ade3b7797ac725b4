import { expect, test } from "vitest";
import { addArea } from "../../domains/listing/public-area/area.contract.ts";
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
  const edit = card.getByRole("button", { name: "编辑" });
  await edit.waitFor();
  expect((await edit.boundingBox())!.height).toBeGreaterThanOrEqual(32);
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

test("when the last row of the last page goes, the page before it is shown", async () => {
  const { rows } = await house.database.pool.query<{ villageId: number; kindDic: string; n: number }>(
    `select village_id "villageId", kind_dic "kindDic", (count(*) over ())::int n from public_area limit 1`,
  );
  const { n, ...like } = rows[0]!;
  const pages = Math.ceil(n / 20);
  for (let i = n; i <= pages * 20; i++)
    await house.did(addArea, { as: head }, { body: { ...like, name: `备用间${i}` } });
  const { page, errors } = await open({ as: head, size: DESK });
  await page.goto(`${base}/configuration/addPublicArea?sort=updatedAt&order=asc&pageNo=${pages + 1}`);
  const left = page.locator("tbody tr.ant-table-row");
  await expect.poll(() => left.count()).toBe(1);
  await left.getByRole("button", { name: "更多操作" }).click();
  await page.getByRole("menuitem", { name: "删除" }).click();
  await page.getByRole("dialog").last().getByRole("button", { name: "确定" }).click();
  await expect.poll(() => left.count()).toBe(20);
  await expect.poll(() => page.locator(".pager [aria-current=page]").innerText()).toBe(String(pages));
  expect(errors).toEqual([]);
});

test("columns are chosen for each list of a page by itself", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  const heads = (name: string) => page.getByRole("columnheader", { name, exact: true });
  const settings = page.getByRole("button", { name: /^列设置/ });
  const hide = async (name: string) => {
    await settings.click();
    await page.getByRole("checkbox", { name, exact: true }).uncheck();
    await page.keyboard.press("Escape");
    await heads(name).waitFor({ state: "detached" });
  };
  await page.goto(`${base}${BOOKING}?tab=reservation`);
  await hide("房间");
  await page.getByRole("tab", { name: "全部客源" }).click();
  await heads("电话").waitFor();
  await hide("电话");
  await page.getByRole("tab", { name: "预订", exact: true }).click();
  await heads("保留至").waitFor();
  expect(await heads("房间").count()).toBe(0);
  await page.reload();
  await heads("保留至").waitFor();
  expect(await heads("房间").count()).toBe(0);
  expect(errors).toEqual([]);
});
