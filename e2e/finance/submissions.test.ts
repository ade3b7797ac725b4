import type { Locator } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { aDesk } from "../../domains/customer/reservation/reservation.sample.ts";
import { aParty } from "../../domains/finance/bill/bill.sample.ts";
import { someAccounts, take } from "../../domains/finance/flow/flow.sample.ts";
import { aPng } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { PHONE, pictureOnFailure, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const { villageId, clerk, room } = await aDesk(house, {
  village: "缴款店",
  permits: [
    ...["query", "get", "add", "edit", "delete", "export"].map((act) => `112.${act}`),
    ...["#11201", "#11202", "102.query", "102.get", "102.add", "23.query", "23.get"],
  ],
});
const store = { villageId, roomId: await room("7101") };
const accounts = await someAccounts(house, store);
const partyId = await aParty(house, "张三", { villageId });
const day = addDays(dayInZone(new Date()), -1);
await take(house, store, accounts, partyId, {
  amount: 150_000,
  channel: "cash",
  paidAt: `${day}T08:00:00+08:00`,
});

const { page, errors } = await open({ as: clerk });
const settled = settling(page);
beforeEach(() => pictureOnFailure(() => page));
/** As a person does who writes over what stands there. */
async function type(box: Locator, text: string): Promise<void> {
  await box.click();
  await box.press("ControlOrMeta+a");
  await box.pressSequentially(text);
}
const drawer = page.locator(".drawer");

test("cash is handed over with its slip; what arrives is short, is paid back and waits to be handed over again", async () => {
  await page.goto(`${base}/accountManage/SubmissionManage`);
  await page.getByRole("tab", { name: /^未缴款 ?1$/, selected: true }).waitFor();
  await page.getByRole("button", { name: "缴款", exact: true }).click();
  const form = page.getByRole("dialog", { name: "新建缴款" });
  await form.getByText("应缴 1,500.00 元").waitFor();
  await type(form.getByLabel("实缴"), "1400");
  await form.getByText("留存 100.00 元").waitFor();
  await type(form.getByLabel("实缴"), "1500");
  await form
    .locator("input[type=file]")
    .setInputFiles({ name: "凭条.png", mimeType: "image/png", buffer: aPng() });
  await form.getByText("凭条.png").waitFor();
  await form.getByRole("button", { name: "缴款", exact: true }).click();
  await form.waitFor({ state: "hidden" });

  await page.getByRole("tab", { name: /^待到账/ }).click();
  await page.locator(".sheet tbody tr.ant-table-row .linkish").first().click();
  await drawer.getByText("1,500.00").first().waitFor();
  await drawer.getByRole("button", { name: "确认到账" }).click();
  const receive = page.getByRole("dialog", { name: /^确认到账/ });
  await type(receive.getByLabel("到账金额"), "1480");
  await receive.getByText("短款 20.00 元").waitFor();
  await receive.getByRole("button", { name: "确认到账" }).click();
  await receive.waitFor({ state: "hidden" });
  await drawer.getByText("−20.00").first().waitFor();
  await drawer.getByRole("tab", { name: /凭证/ }).click();
  await drawer.getByText("其他应收-短款").first().waitFor();

  await drawer.getByRole("button", { name: "短款处理" }).click();
  const settle = page.getByRole("dialog", { name: /^短款处理/ });
  await settle.getByLabel("说明").fill("收银员补足");
  await settle.getByRole("button", { name: "处理" }).click();
  await settle.waitFor({ state: "hidden" });
  await drawer.getByText(/补缴 20\.00 元：收银员补足/).waitFor();
  await page.goto(`${base}/accountManage/SubmissionManage?tab=pending`);
  await page.getByRole("row", { name: /缴款店.*20\.00/ }).waitFor();
  expect(errors).toEqual([]);
});

test("the accounts show where the money went; the box is counted, handed over, and its sheet is printed", async () => {
  await page.goto(`${base}/accountManage/accountSummary?villageIds=${villageId}&from=${day}`);
  await page.getByRole("row", { name: /公司账户（本店份额）/ }).waitFor();
  await page.getByRole("row", { name: /现金箱.*20\.00/ }).waitFor();

  await page.goto(`${base}/accountManage/addBillFlow?tab=shift&villageId=${villageId}`);
  const box = page.locator(".row.between").filter({ hasText: "账面现金 20.00" });
  await box.getByRole("button", { name: "开班" }).click();
  const opening = page.getByRole("dialog", { name: /^开班/ });
  await opening.getByLabel("实点现金").fill("20");
  await opening.getByText("与账面一致").waitFor();
  await opening.getByRole("button", { name: "开班" }).click();
  await opening.waitFor({ state: "hidden" });
  await box.getByRole("button", { name: "交班" }).click();
  const closing = page.getByRole("dialog", { name: /^交班/ });
  await closing.getByLabel("实点现金").fill("19");
  await closing.getByText("比账面少 1.00").waitFor();
  await closing.getByLabel("差额说明").fill("找零误差");
  await closing.getByRole("button", { name: "交班" }).click();
  await closing.waitFor({ state: "hidden" });
  const sheet = page.getByRole("article", { name: "交接单" });
  await sheet.getByText("交班实点，短 1.00").waitFor();
  await sheet.getByText("说明：找零误差").waitFor();
  expect(errors).toEqual([]);
});

test("on a phone the takings are cards with their act", async () => {
  const phone = await open({ as: clerk, size: PHONE });
  await phone.page.goto(`${base}/accountManage/SubmissionManage?tab=all`);
  await phone.page.getByText("缴款店").first().waitFor();
  await phone.page.goto(`${base}/accountManage/accountSummary?villageIds=${villageId}`);
  await phone.page.getByText("缴款在途").waitFor();
  await settled();
  expect(phone.errors).toEqual([]);
});
