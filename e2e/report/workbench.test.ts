import { expect, test } from "vitest";
import { demoPerson, PHONE, story } from "../browser.sample.ts";

/** The workbench of a store manager: what waits, in an order of one's own, and the records behind each figure. */
const { house, base, open } = await story({ rooms: 40 });
const manager = await demoPerson(house, "dianzhang01");
const { pool } = house.database;
const home = `${base}/workbench/WorkbenchPage`;

test("overdue bills: the card's count and sum are the list's; and every one of them stands there", async () => {
  const { page, errors } = await open({ as: manager, size: { width: 1440, height: 900 } });
  await page.goto(home);
  const todo = page.getByRole("region", { name: "待办" });
  const tile = todo.locator("a").filter({ hasText: "逾期账单" });
  const [count, sum] = [
    await tile.locator("b").first().innerText(),
    /[\d,]+\.\d\d/.exec(await tile.innerText())![0],
  ];
  await tile.click();
  await page.waitForURL("**/accountManage/BillListManage?*");
  await page.getByText(`合计 ${count} 笔`, { exact: true }).waitFor();
  await page.getByText(sum, { exact: true }).filter({ visible: true }).first().waitFor();
  expect(errors).toEqual([]);
});

test("the empty rooms of today open as many rooms in every store", async () => {
  const { page, errors } = await open({ as: manager, size: { width: 1440, height: 900 } });
  await page.goto(home);
  const cell = page
    .getByRole("region", { name: "今日数据" })
    .locator(".cells__one")
    .filter({ hasText: "空置间数" });
  const count = await cell.locator("b").innerText();
  await cell.getByRole("link").click();
  await page.waitForURL("**/configuration/apartment?*");
  await page.getByText("未出租，点门店查看").waitFor();
  const sums = page.locator(".rb__villages tfoot td.num").first();
  await expect.poll(() => sums.innerText()).toBe(count);
  const first = page.locator(".rb__villages tbody tr").first();
  const inStore = await first.locator("td.num").first().innerText();
  await first.click();
  await expect.poll(() => page.locator(".rb__board [data-id]").count()).toBe(Number(inStore));
  expect(errors).toEqual([]);
});

test("cards are hidden and put in an own order, and stay so after a reload; 恢复默认 brings them back", async () => {
  const { page, errors } = await open({ as: manager, size: { width: 1440, height: 900 } });
  await page.goto(home);
  await page.getByRole("region", { name: "今日数据" }).waitFor();
  await page.getByRole("button", { name: "自定义" }).click();
  const dialog = page.getByRole("dialog", { name: "自定义工作台" });
  await dialog.getByRole("checkbox", { name: "公告" }).uncheck();
  await dialog.getByRole("button", { name: "上移 今日数据" }).click();
  const saved = page.waitForResponse((r) => r.request().method() === "PUT" && r.url().includes("reference"));
  await dialog.getByRole("button", { name: "确定" }).click();
  await saved;
  const order = async () =>
    (await page.locator(".bench__col").first().locator("section h2").allInnerTexts()).slice(0, 2);
  await expect.poll(order).toEqual(["今日数据", "待办"]);
  await page.reload();
  await expect.poll(order).toEqual(["今日数据", "待办"]);
  await expect.poll(() => page.getByRole("region", { name: "公告" }).count()).toBe(0);
  await page.getByRole("button", { name: "自定义" }).click();
  await dialog.getByRole("button", { name: "恢复默认" }).click();
  await expect.poll(order).toEqual(["待办", "今日数据"]);
  await page.getByRole("region", { name: "公告" }).waitFor();
  expect(errors).toEqual([]);
});

test("who moves in on a day of the week opens on a click; the week before and after can be seen", async () => {
  const { page, errors } = await open({ as: manager, size: { width: 1440, height: 900 } });
  await page.goto(home);
  const week = page.getByRole("region", { name: /^本周|^周历/ });
  await week.getByRole("columnheader", { name: /今天/ }).waitFor();
  await week.getByRole("button", { name: "下一周" }).click();
  await week.getByRole("button", { name: "回到本周" }).click();
  await week.getByRole("columnheader", { name: /今天/ }).waitFor();
  expect(errors).toEqual([]);
});

test("approvals that wait stand beside the work and open where they are decided", async () => {
  const finance = (
    await pool.query<{ account: string }>(
      `select o.account from examine_step t join operator o on o.id = t.operator_id where t.state = 'waiting' limit 1`,
    )
  ).rows[0];
  if (!finance) throw new Error("nobody of the demo company is asked for an approval");
  const { page, errors } = await open({ as: await demoPerson(house, finance.account), size: PHONE });
  await page.goto(home);
  const card = page.getByRole("region", { name: "待我审批" });
  await card.locator("a.top__r").first().click();
  await page.waitForURL("**examineId=*");
  await page.getByRole("dialog").first().waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});
