import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aBill, aContract, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { addDays, dayInZone, firstOf, monthOf } from "../../platform/kernel/day.ts";
import { choose, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "催缴店",
  permits: ["26.query", "26.get", "26.edit", "9.get", "114.query", "109.query", "109.add", "109.edit"],
});
const roomId = await room("7201");
const partyId = await aParty(house, "张三", { villageId, phone: "13900001111" });
// late already on the first of a month: its due day then lies in the month before
const today = dayInZone(new Date());
const store = { villageId, roomId };
const contractId = await aContract(house, store, partyId);
await aBill(house, store, partyId, { contractId, dueDate: addDays(today, -1) });

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

test("a store's late bills are asked for at once, and stand with the bill", async () => {
  // the page opens with the month so far; here it is the bill's
  const month = monthOf(addDays(today, -1));
  await page.goto(`${base}/accountManage/BillListManageByVillage`);
  await page.getByText("催缴店").or(page.getByText("没有符合条件的记录")).first().waitFor();
  const asked = (key: string) => new URL(page.url()).searchParams.get(key);
  expect(asked("dueFrom")).toBe(firstOf(monthOf(today)));
  // a month that is chosen stands instead of the days, and days instead of a month
  await page.getByPlaceholder("应收月").fill(month);
  await page.keyboard.press("Enter");
  await expect.poll(() => [asked("dueMonth"), asked("dueFrom"), asked("dueTo")]).toEqual([month, null, null]);
  await page.getByText("催缴店").first().waitFor();
  await page.getByRole("button", { name: "重置" }).click();
  await expect.poll(() => [asked("dueMonth"), asked("dueFrom")]).toEqual([null, firstOf(monthOf(today))]);
  await page.goto(`${base}/accountManage/BillListManageByVillage?dueMonth=${month}`);
  // a building is chosen as in the list of bills, and can be taken off again
  const { rows } = await house.database.pool.query<{ id: number }>(
    "select id::int id from building where village_id = $1 limit 1",
    [villageId],
  );
  await page.goto(
    `${base}/accountManage/BillListManageByVillage?dueMonth=${month}&buildingIds=${rows[0]!.id}`,
  );
  await page
    .locator(".chip")
    .getByText(/^楼栋：/)
    .first()
    .waitFor();
  const row = page.getByRole("row").filter({ hasText: "催缴店" });
  await row.getByText("0.00%").waitFor();
  await settled();
  await row.getByRole("button", { name: "催缴全部逾期" }).click();
  const dialog = page.getByRole("dialog", { name: "催缴全部逾期 催缴店" });
  await dialog.getByText("将向 1 位客户各发一条短信，逾期未收合计 3,000.00 元").waitFor();
  await dialog.getByRole("button", { name: "发送 1 条短信" }).click();
  await dialog.getByText("已催缴 1 位客户").waitFor();
  await dialog.getByRole("button", { name: "知道了" }).click();
  await row.getByRole("link", { name: "3,000.00" }).last().click();
  // the ticked bills' letters, as one file
  await page.locator(".sheet tbody tr.ant-table-row input[type=checkbox]").first().check();
  await choose(
    () => page.locator(".tools").getByRole("button", { name: "更多操作" }).click(),
    page.getByRole("menuitem", { name: "打印催缴函" }),
  );
  const letters = page.getByRole("dialog", { name: "打印催缴函" });
  await letters.getByText("将打印 1 份催缴函，逾期未收合计 3,000.00 元").waitFor();
  const saved = page.waitForEvent("download");
  await letters.getByRole("button", { name: "打印 1 份催缴函" }).click();
  expect((await saved).suggestedFilename()).toBe(`催缴函_1份_${today}.pdf`);
  await page.keyboard.press("Escape");
  await letters.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: /^ZD/ }).first().click();
  const bill = page.getByRole("dialog", { name: /^ZD/ });
  await bill.getByRole("tab", { name: "催缴记录" }).click();
  await bill.getByText("人工催缴").waitFor();
  const phone = await open({ as: clerk, size: PHONE });
  await phone.page.goto(`${base}/accountManage/BillListManageByVillage?dueMonth=${month}`);
  await phone.page.getByText("催缴店").first().waitFor();
  expect([...errors, ...phone.errors]).toEqual([]);
});

test("the same letters are printed from the arrears report", async () => {
  await page.goto(`${base}/report/owingReport`);
  await page.getByRole("row").filter({ hasText: "张三" }).getByRole("checkbox").check();
  await page.getByRole("button", { name: "打印催缴函" }).click();
  const letters = page.getByRole("dialog", { name: "打印催缴函" });
  await letters.getByText("将打印 1 份催缴函，逾期未收合计 3,000.00 元").waitFor();
  const saved = page.waitForEvent("download");
  await letters.getByRole("button", { name: "打印 1 份催缴函" }).click();
  expect((await saved).suggestedFilename()).toBe(`催缴函_1份_${today}.pdf`);
  expect(errors).toEqual([]);
});

test("days that are chosen at once are the server's, whatever the clock of the workstation says", async () => {
  const { page: wrong, errors: said } = await open({ as: clerk });
  await wrong.clock.setFixedTime("2020-02-03T10:00:00+08:00");
  await wrong.goto(`${base}/accountManage/BillListManageByVillage`);
  const asked = () => ["dueFrom", "dueTo"].map((key) => new URL(wrong.url()).searchParams.get(key));
  await expect.poll(asked).toEqual([firstOf(monthOf(today)), today]);
  const choosing = async (preset: string) => {
    await wrong.getByLabel("应收日").first().click();
    await wrong.getByText(preset, { exact: true }).click();
  };
  await choosing("今天");
  await expect.poll(asked).toEqual([today, today]);
  await choosing("昨天");
  await expect.poll(asked).toEqual([addDays(today, -1), addDays(today, -1)]);
  await choosing("本年");
  await expect.poll(asked).toEqual([`${today.slice(0, 4)}-01-01`, `${today.slice(0, 4)}-12-31`]);
  expect(said).toEqual([]);
});
