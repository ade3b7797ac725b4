import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aBill, aLine, aParty } from "../../domains/finance/bill/bill.sample.ts";
import { bankFile, aCompanyAccount } from "../../domains/finance/corporate/corporate.sample.ts";
import { someAccounts, take } from "../../domains/finance/flow/flow.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "认领店",
  permits: [
    "97.query",
    "97.get",
    "97.add",
    "97.import",
    "97.export",
    "#9701",
    "#9702",
    "102.query",
    "102.get",
  ],
});
const store = { villageId, roomId: await room("7001") };
const accounts = await someAccounts(house, store);
await aCompanyAccount(house, villageId);
const today = dayInZone(new Date());
const day = addDays(today, -1);
const partyId = await aParty(house, "宏远商贸", { villageId, kind: "merchant" });
await aBill(house, store, partyId, {
  title: "商铺租金",
  dueDate: day,
  graceDays: 30,
  lines: [aLine("rent", 1_000_000)],
});
await take(house, store, accounts, partyId, { amount: 635_000, paidAt: `${day}T08:00:00+08:00` });
const file = bankFile([
  { day, amount: 1_000_000, name: "宏远商贸", account: "6222021234567890123", summary: "房租" },
  { day, amount: 631_190, name: "财付通支付科技有限公司", summary: "商户结算" },
  { day, amount: 3000, name: "外人公司", account: "6222021234567890999", summary: "货款" },
]);
/** The same from a bank that calls the day by a name of its own. */
const odd = Buffer.from(file.toString().replace("交易日期", "记账时点"));

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));
const row = (text: string) => page.getByRole("row").filter({ hasText: text });
const settlement = row("6,311.90").filter({ hasText: "财付通" });

test("a file is imported; a line is claimed as suggested, one is a channel's, one is marked and unmarked", async () => {
  await page.goto(`${base}/accountManage/CorporateFlow`);
  await page.getByRole("button", { name: "导入流水" }).first().click();
  const importing = page.getByRole("dialog", { name: "导入对公流水" });
  await importing.getByRole("combobox").fill("对公账户");
  await page
    .locator(".ant-select-dropdown:visible .ant-select-item-option")
    .filter({ hasText: "对公账户" })
    .first()
    .click();
  await importing
    .locator("input[type=file]")
    .setInputFiles({ name: "流水.csv", mimeType: "text/csv", buffer: odd });
  await importing.getByRole("alert").filter({ hasText: "无法识别的账单格式" }).waitFor();
  await importing.getByRole("button", { name: "设置列对应" }).click();
  const mapping = importing.getByRole("region", { name: "设置列对应" });
  await mapping.getByText("请选择交易日期").waitFor();
  await mapping.getByRole("combobox", { name: "交易日期列" }).click();
  await page
    .locator(".ant-select-dropdown:visible .ant-select-item-option")
    .filter({ hasText: "记账时点" })
    .click();
  await mapping.getByRole("button", { name: "按此读取" }).click();
  await importing.getByText("共 3 行，新增 3，重复 0").waitFor();
  await mapping.getByRole("textbox", { name: "模板名称" }).fill("海港银行网银");
  await mapping.getByRole("button", { name: "保存模板" }).click();
  await mapping.waitFor({ state: "hidden" });
  await importing.getByText("海港银行网银（第 1 版").waitFor();
  await importing.getByText("共 3 行，新增 3，重复 0").waitFor();
  await importing.getByRole("button", { name: "导入", exact: true }).click();
  await importing.waitFor({ state: "hidden" });
  await page.getByText(/自动识别 1 笔渠道结算，请确认/).waitFor();

  // the tenant's name and the amount of the bill say whose it is
  await row("宏远商贸").getByText("户名一致，金额等于账单").waitFor();
  await row("宏远商贸").getByRole("button", { name: "认领", exact: true }).click();
  const claim = page.getByRole("dialog", { name: "认领对公流水" });
  await claim.getByText("支付账单 10,000.00").waitFor();
  await claim.getByRole("button", { name: "试算认领" }).click();
  const confirm = page.getByRole("dialog", { name: "确认认领" });
  await confirm.getByText(`记账日 ${today}，款项日期 ${day}`).waitFor();
  await confirm.getByRole("button", { name: "认领 10,000.00" }).click();
  await claim.waitFor({ state: "hidden" });
  await page.getByText("已认领 10,000.00 元").waitFor();

  await settlement.getByText("渠道结算").first().waitFor();
  await settlement.getByRole("button", { name: "标记无需认领" }).click();
  const mark = page.getByRole("dialog", { name: "标记无需认领" });
  await mark.getByRole("button", { name: "标记", exact: true }).click();
  await mark.waitFor({ state: "hidden" });
  await settled();
  await page.getByRole("tab", { name: /^无需认领/ }).click();
  await settlement.waitFor();
  await settlement.getByText(`${day} 00:00`).click();
  const drawer = page.getByRole("dialog", { name: "财付通支付科技有限公司" });
  await drawer.getByRole("tab", { name: /^无需认领/ }).click();
  await drawer.getByRole("cell", { name: "渠道结算", exact: true }).first().waitFor();
  expect(errors).toEqual([]);
});

test("an approved claim is undone from its line, which has the money again", async () => {
  await page.goto(`${base}/accountManage/CorporateFlow?tab=claimed`);
  await row("宏远商贸").getByText(`${day} 00:00`).click();
  await page.getByRole("row").filter({ hasText: /RL\d/ }).getByRole("button").first().click();
  await page.getByRole("button", { name: "撤销认领" }).click();
  const ask = page.getByRole("dialog", { name: /^撤销认领/ });
  await ask.getByRole("textbox").fill("认错了客户");
  await ask.getByRole("button", { name: "撤销认领" }).click();
  await page.getByText("已撤销认领").first().waitFor();
  await page.goto(`${base}/accountManage/CorporateFlow`);
  await row("宏远商贸").getByText("10,000.00").first().waitFor();
  await page.goto(`${base}/accountManage/CorporateFlow?list=files`);
  await row("DZ").waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the lines can be read and nothing sticks out", async () => {
  const phone = await open({ as: clerk, size: PHONE });
  await phone.page.goto(`${base}/accountManage/CorporateFlow`);
  await phone.page.getByText("外人公司").first().waitFor();
  expect(
    await phone.page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
  ).toBeLessThanOrEqual(0);
  expect(phone.errors).toEqual([]);
});
