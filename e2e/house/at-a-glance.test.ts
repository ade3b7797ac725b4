import { expect, test } from "vitest";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { demoPerson, DESK, PHONE, story } from "../browser.sample.ts";

/** What a look at a screen must not meet: a cut amount, a column off the edge, a number without its unit. */
const { house, base, open } = await story({ rooms: 120 });
const head = await demoPerson(house, "qinghe01");
const agent = await demoPerson(house, "zulin01");

test("on the wall every amount stands whole, under a title that says what it is of", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  await page.goto(`${base}/workbench/overview2`);
  await page.getByRole("button", { name: "欠费余额明细" }).waitFor();
  await page.getByRole("button", { name: "投屏" }).click();
  await page.locator(".ov--wall .ov__wall").getByText("数据看板").waitFor();
  const cut = await page
    .locator(".ov__value")
    .evaluateAll((all) => all.filter((value) => value.scrollWidth > value.clientWidth).length);
  expect(cut).toBe(0);
  await page.evaluate(() => document.exitFullscreen());
  await page.locator(".ov__wall").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
});

test("the list of stores stands whole at 1280; who may do nothing with them has no column for it", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  await page.goto(`${base}/configuration/village`);
  await page.getByRole("columnheader", { name: "状态", exact: true }).waitFor();
  await page.getByRole("columnheader", { name: "操作", exact: true }).waitFor();
  const over = await page
    .locator(".sheet .ant-table-content")
    .evaluate((table) => table.scrollWidth - table.clientWidth);
  expect(over).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);

  const other = await open({ as: agent, size: DESK });
  await other.page.goto(`${base}/configuration/village`);
  await other.page.getByRole("columnheader", { name: "状态", exact: true }).waitFor();
  await other.page.locator("tbody tr.ant-table-row").first().waitFor();
  await expect
    .poll(() => other.page.getByRole("columnheader", { name: "操作", exact: true }).count())
    .toBe(0);
  expect(other.errors).toEqual([]);
});

test("a link to a board of a strange store leads to one's own; a day to come knows no arrears", async () => {
  const { rows } = await house.database.pool.query<{ id: number; mine: boolean }>(
    `select v.id, v.id = any(o.village_ids) mine from village v join operator o on o.id = $1 order by v.id`,
    [agent.operatorId],
  );
  const { page, errors } = await open({ as: agent, size: DESK });
  await page.goto(`${base}/configuration/apartment?villageId=${rows.find((v) => !v.mine)?.id ?? 999_999}`);
  await page.getByText("记录不存在或无权查看").waitFor();
  await page.getByRole("columnheader", { name: "30 天内到期" }).waitFor();
  const day = addDays(dayInZone(new Date(), "Asia/Shanghai"), 60);
  await page.goto(`${base}/configuration/apartment?villageId=${rows.find((v) => v.mine)!.id}&day=${day}`);
  await page.getByText(/^\S+ 预计房态/).waitFor();
  await page.getByRole("group", { name: "状态", exact: true }).waitFor();
  await expect.poll(() => page.getByRole("group", { name: "标记", exact: true }).count()).toBe(0);
  expect(errors).toEqual([]);
});

test("on a phone a card says its units and offers what can be done", async () => {
  const { page, errors } = await open({ as: head, size: PHONE });
  await page.goto(`${base}/configuration/village`);
  const card = page.locator(".cards__one").first();
  await card.getByText(/，\d+ 间$/).waitFor();
  await card.getByRole("button", { name: "停业" }).waitFor();
  await expect.poll(() => page.locator(".cards__sums").innerText()).toMatch(/^合计\s+\d+ 个/);
  expect(errors).toEqual([]);
});

test("rooms stay picked when the form for them is given up; its fields have room", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  await page.goto(`${base}/configuration/ApartmentManage?view=room`);
  const boxes = page.locator("tbody").getByRole("checkbox");
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await page.getByText("已选 2 间").waitFor();
  await page.getByRole("button", { name: "改标签" }).click();
  const form = page.getByRole("dialog", { name: "批量修改标签" });
  const field = await form.locator(".ant-select").boundingBox();
  expect(field!.width).toBeGreaterThan(300);
  await form.getByRole("button", { name: "取消" }).click();
  await form.waitFor({ state: "detached" });
  await page.getByText("已选 2 间").waitFor();
  expect(errors).toEqual([]);
});
