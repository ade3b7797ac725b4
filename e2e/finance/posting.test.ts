import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { acting } from "../../domains/listing/village/village.sample.ts";
import { aBill, aLine, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { bookCost } from "../../domains/finance/flow/booking.service.ts";
import { someAccounts, take } from "../../domains/finance/flow/flow.sample.ts";
import { addDays, addToMonth, dayInZone, firstOf, lastOf, monthOf } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "过账店",
  permits: [
    "200.query",
    "200.get",
    "200.add",
    "200.edit",
    "200.delete",
    "200.export",
    "#20001",
    "#20002",
    "#20003",
    "#6501",
  ],
});
const store = { villageId, roomId: await room("7001") };
const accounts = await someAccounts(house, store);
const partyId = await aParty(house, "张三", { villageId });
const month = addToMonth(monthOf(dayInZone(new Date())), -1);
const [first, last] = [firstOf(month), lastOf(month)];
// the month before, as it was lived
house.setClock(`${first}T12:00:00+08:00`);
const bill = await aBill(house, store, partyId, {
  dueDate: first,
  periodStart: first,
  periodEnd: last,
  lines: [
    aLine("rent", 310_000, {
      periodStart: first,
      periodEnd: last,
      slices: [{ from: first, to: last, amount: 310_000 }],
    }),
  ],
});
await take(house, store, accounts, partyId, {
  amount: 310_000,
  channel: "cash",
  paidAt: `${first}T11:00:00+08:00`,
  bills: [bill],
});
const { id: subject } = await house.database.db
  .selectFrom("feeSubject")
  .select("id")
  .where("code", "=", "cleaningCost")
  .where("enterpriseId", "=", house.enterpriseId)
  .executeTakeFirstOrThrow();
await acting(house, (act) =>
  bookCost(act, {
    villageId,
    payeeName: "洁净保洁",
    feeSubjectId: subject,
    periodStart: first,
    periodEnd: last,
    amount: 60_000,
    dueDate: addDays(first, 9),
  }),
);
house.setClock(undefined);

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

test("a month is put in order, its vouchers are made, looked into, exported and locked", async () => {
  await page.goto(`${base}/accountManage/PostState?year=${month.slice(0, 4)}`);
  await page.getByRole("button", { name: new RegExp(`^过账店 ${month} 未生成`) }).click();
  const close = page.getByRole("dialog", { name: `过账店 ${month} 收入月结` });
  const check = (title: string) => close.getByRole("listitem").filter({ hasText: title });
  await check("本月收入已计提").getByText("未通过").waitFor();
  await check("本月收入已计提").getByRole("button", { name: "计提" }).click();
  await check("本月收入已计提").getByText("通过", { exact: true }).waitFor();
  await check("账务自检无异常")
    .getByRole("button", { name: "运行自检" })
    .or(check("账务自检无异常").getByText("通过", { exact: true }))
    .first()
    .waitFor();
  await close.getByRole("button", { name: "生成凭证" }).click();
  await close.getByText("已生成").waitFor();
  await close.getByRole("link", { name: /^GZ/ }).click();
  await settled();
  const record = page
    .getByRole("dialog")
    .filter({ has: page.getByText("账簿借方") })
    .last();
  await record.getByRole("region", { name: "收入确认" }).getByText("3,100.00").first().waitFor();
  await record.getByRole("button", { name: "导出锁账" }).click();
  const dialog = page.getByRole("dialog", { name: `导出锁账 过账店 ${month}` });
  await dialog.getByText("导出后该月锁账").waitFor();
  const downloading = page.waitForEvent("download");
  await dialog.getByRole("button", { name: "导出并锁账" }).click();
  expect((await downloading).suggestedFilename()).toContain(`凭证_${month}_过账店`);
  await record.getByText("已导出").first().waitFor();
  await record.getByRole("button", { name: "填写总账凭证号" }).click();
  const booking = page.getByRole("dialog", { name: `填写总账凭证号 过账店 ${month}` });
  await booking.getByLabel("总账凭证号").fill("记-0312");
  await booking.getByRole("button", { name: "保存" }).click();
  await record.getByText("已入账").first().waitFor();
  expect(errors).toEqual([]);
});

test("a cost is spread by what each store has, as it is shown; its month is made for many stores; on a phone the year is read as well", async () => {
  await page.goto(`${base}/accountManage/PostStateCost?list=costs&month=${month}`);
  const row = page.getByRole("row").filter({ hasText: "洁净保洁" });
  await row.getByRole("button", { name: "分摊" }).click();
  const dialog = page.getByRole("dialog", { name: /^分摊 ZD/ });
  await dialog.getByLabel("分摊门店").click();
  await page.getByTitle("过账店").last().click();
  await page.keyboard.press("Escape");
  await dialog.getByRole("cell", { name: "600.00" }).first().waitFor();
  await dialog.getByRole("button", { name: "分摊", exact: true }).click();
  await row.getByText("套数").waitFor();
  await page.getByRole("tab", { name: "过账年历" }).click();
  await page.getByRole("button", { name: "批量生成" }).click();
  const making = page.getByRole("dialog", { name: "批量生成过账单" });
  await making.getByLabel("门店").click();
  await page.getByTitle("过账店").last().click();
  await page.keyboard.press("Escape");
  await making.getByRole("button", { name: "生成" }).click();
  const result = page.getByRole("dialog", { name: "批量生成结果" });
  await result.getByText(`${month} 已生成 1 张过账单，0 个门店没有生成。`).waitFor();
  await result.getByRole("link", { name: /^GZ/ }).waitFor();
  await page.keyboard.press("Escape");
  await page.setViewportSize(PHONE);
  await page.goto(`${base}/accountManage/PostState?year=${month.slice(0, 4)}`);
  await page.getByRole("button", { name: new RegExp(`^过账店 ${month} 已入账`) }).waitFor();
  expect(errors).toEqual([]);
});
