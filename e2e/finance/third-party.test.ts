import type { Locator } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { someAccounts } from "../../domains/finance/flow/flow.sample.ts";
import { aBankLine, THIRD_PARTY } from "../../domains/finance/third-party/third-party.sample.ts";
import { addDays, addToMonth, dayInZone, monthOf } from "../../platform/kernel/day.ts";
import { choose, PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "合作店",
  permits: [...THIRD_PARTY, "102.query", "102.get"],
});
await someAccounts(house, { villageId, roomId: await room("7101") });
const today = dayInZone(new Date());
const month = addToMonth(monthOf(today), -1);
await aBankLine(house, { amount: 200_000, day: addDays(today, -1), counterName: "安泊停车有限公司" });
const at = `${base}/accountManage/ThirdPartIncomeSheet`;

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
const pick = (input: Locator, text: string | RegExp) =>
  choose(
    () => input.click(),
    page.locator(".ant-select-item-option:visible").filter({ hasText: text }).first(),
  );
beforeEach(() => pictureOnFailure(() => page));

test("a partner is entered with its terms, its month is shared and confirmed, and a transfer settles a part of it", async () => {
  await page.goto(`${at}?list=partners`);
  await page.getByRole("button", { name: "新增合作方" }).first().click();
  const partner = page.getByRole("dialog", { name: "新增合作方" });
  await partner.getByLabel("合作方名称").fill("安泊停车");
  await pick(partner.getByLabel("类型", { exact: true }), "停车");
  await pick(partner.getByLabel("门店", { exact: true }), "合作店");
  await page.keyboard.press("Escape");
  await partner.getByLabel("协议起").fill(`${month}-01`);
  await partner.getByLabel("协议起").press("Enter");
  await partner.getByLabel("分成比例").fill("60");
  await partner.getByLabel("税率").fill("9");
  await partner.getByText("对方收入 5,000.00 时：5,000.00 × 60% = 3,000.00").waitFor();
  await partner.getByRole("button", { name: "保存" }).click();
  await partner.waitFor({ state: "hidden" });
  await page.getByRole("row").filter({ hasText: "安泊停车" }).getByText("60%").waitFor();

  await page.getByRole("tab", { name: "明细" }).click();
  await page.getByRole("button", { name: "新增第三方收入" }).first().click();
  const sheet = page.getByRole("dialog", { name: "新增第三方收入" });
  await pick(sheet.getByLabel("门店", { exact: true }), "合作店");
  await pick(sheet.getByLabel("合作方", { exact: true }), "安泊停车");
  await sheet.getByLabel("对方收入总额").fill("5000");
  await sheet.getByText("我方分成 3,000.00，其中税额 247.71").waitFor();
  await sheet.getByRole("button", { name: "保存" }).click();
  await sheet.waitFor({ state: "hidden" });

  await page.getByRole("row").filter({ hasText: "安泊停车" }).getByRole("button", { name: /^DS/ }).click();
  const record = page.getByRole("dialog", { name: /^DS/ });
  await record.getByRole("button", { name: "确认", exact: true }).click();
  await page
    .getByRole("dialog", { name: /^确认 DS/ })
    .getByRole("button", { name: "确认", exact: true })
    .click();
  await record.getByText("已确认").first().waitFor();
  await record.getByRole("button", { name: "结算", exact: true }).click();
  const paying = page.getByRole("dialog", { name: /^结算 DS/ });
  await paying.getByLabel("结算金额").fill("2000");
  await pick(paying.getByLabel("对公流水", { exact: true }), /安泊停车有限公司 未认领 2,000\.00/);
  await paying.getByRole("button", { name: "结算", exact: true }).click();
  await paying.waitFor({ state: "hidden" });
  await record.getByText("部分结算").first().waitFor();
  await record.getByRole("cell", { name: /安泊停车有限公司/ }).waitFor();
  await settled();
  expect(errors).toEqual([]);
});

test("the share by store opens its sheets; a phone shows the same as cards", async () => {
  await page.goto(`${at}?list=summary`);
  const row = page.getByRole("row").filter({ hasText: "合作店" });
  await row.getByText("1,000.00").waitFor();
  await row.getByRole("link", { name: "3,000.00" }).first().click();
  await page.getByRole("row").filter({ hasText: "安泊停车" }).getByText("部分结算").waitFor();
  const phone = await open({ as: clerk, size: PHONE });
  await phone.page.goto(at);
  await phone.page.getByText("安泊停车").first().waitFor();
  await settling(phone.page)();
  expect([...errors, ...phone.errors]).toEqual([]);
});
