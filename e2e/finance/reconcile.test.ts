import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { addAccount, linkAccount } from "../../domains/finance/account/account.service.ts";
import { aParty } from "../../domains/finance/bill/bill.sample.ts";
import { someAccounts, take } from "../../domains/finance/flow/flow.sample.ts";
import { MERCHANT, wechatBill } from "../../domains/finance/statement/statement.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "对账店",
  permits: ["25.query", "25.import", "25.export", "#2501", "102.query", "102.get"],
});
const store = { villageId, roomId: await room("7001") };
const accounts = await someAccounts(house, store);
const wechat = await addAccount(
  { tx: house.database.db },
  {
    enterpriseId: house.enterpriseId,
    name: "门店微信收款",
    kind: "wechat",
    holderVillageId: store.villageId,
    feeRate: "0.006",
    mchId: MERCHANT,
  },
);
await linkAccount(
  { tx: house.database.db },
  { villageId: store.villageId, payType: "wechat", merchantAccountId: wechat },
);
const partyId = await aParty(house, "张三", { villageId: store.villageId });
const day = addDays(dayInZone(new Date()), -1);
const at = `${day} 08:00:00`;
for (const [outTradeNo, amount] of [
  ["SKA", 635_000],
  ["SKB", 50_000],
  ["SKC", 20_000],
] as const)
  await take(house, store, { ...accounts, wechat }, partyId, {
    amount,
    paidAt: `${day}T08:00:00+08:00`,
    outTradeNo,
    channelTradeNo: `42000${outTradeNo}`,
  });
const file = wechatBill([
  { no: "SKA", at, amount: 635_000, fee: 3810 },
  { no: "SKD", at, amount: 8_000, fee: 48 },
  { no: "SKC", at, amount: 19_900, fee: 119 },
]);

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));

test("a day's bill is imported, its differences are shown and dealt with, and the day is balanced", async () => {
  await page.goto(`${base}/accountManage/accountCheck?month=${day.slice(0, 7)}`);
  await page.getByRole("button", { name: `门店微信收款 ${day} 未导入` }).click();
  const drawer = page.getByRole("dialog", { name: "导入对账单" });
  const bring = (name: string, text: string) =>
    drawer
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  await bring("账单.csv", file.replace("`80.00", "`8o.00"));
  await drawer.getByRole("alert").filter({ hasText: "文件有 1 处错误，没有导入任何流水" }).waitFor();
  await drawer.getByRole("cell", { name: "金额格式错误" }).waitFor();
  await bring("账单.csv", file);
  await drawer.getByText("共 3 行，新增 3，重复 0").waitFor();
  await drawer.getByRole("button", { name: "导入", exact: true }).click();
  await drawer.waitFor({ state: "hidden" });

  await page.getByText(/1 个账户日有差异，差额 421.00；\d+ 个账户日未导入/).waitFor();
  await page.getByRole("button", { name: new RegExp(`^门店微信收款 ${day} 有差异，3 笔待处理`) }).click();
  await page.getByText("差额 421.00").waitFor();
  await settled();
  const row = (text: string) => page.getByRole("row").filter({ hasText: text });
  for (const [text, action, note] of [
    ["42000SKB", "确认有效", "客户现场已付，渠道次日补单"],
    ["42000SKD", "非本系统交易", "门店自用收款"],
    ["42000SKC", "确认有效", "少收一元，下期补"],
  ] as const) {
    await row(text).getByRole("button", { name: action, exact: true }).click();
    const form = page.getByRole("dialog", { name: action });
    await form.getByLabel("说明").fill(note);
    await form.getByRole("button", { name: action, exact: true }).click();
    await form.waitFor({ state: "hidden" });
    await row(text).getByText(note).waitFor();
  }
  await page.getByRole("tab", { name: "对账日历" }).click();
  await page.getByRole("button", { name: new RegExp(`^门店微信收款 ${day} 已平`) }).waitFor();
  await page.getByRole("tab", { name: "导入批次" }).click();
  await page.getByRole("row").filter({ hasText: "微信交易账单（全部）" }).waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the month can be read and nothing sticks out", async () => {
  const phone = await open({ as: clerk, size: PHONE });
  await phone.page.goto(`${base}/accountManage/accountCheck?month=${day.slice(0, 7)}`);
  await phone.page.getByRole("button", { name: new RegExp(`^门店微信收款 ${day} 已平`) }).waitFor();
  expect(
    await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  expect(phone.errors).toEqual([]);
});
