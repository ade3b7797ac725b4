import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  cancelReservation,
  showReservationCode,
} from "../../domains/customer/reservation-acts/acts.contract.ts";
import {
  actingOn,
  aDesk,
  aReservation,
  bookOf,
  reservationOf,
} from "../../domains/customer/reservation/reservation.sample.ts";
import { payTill } from "../../domains/finance/pay-order/pay-order.contract.ts";
import { aTill } from "../../domains/finance/pay-order/pay-order.sample.ts";
import { receiveWhole } from "../../domains/finance/earnest/earnest.service.ts";
import { APPLYING, PAYING } from "../../domains/finance/refund/refund.sample.ts";
import { acting } from "../../domains/listing/village/village.sample.ts";
import { aPdf } from "../../domains/system/file/file.sample.ts";
import { addDays, dayInZone } from "../../platform/kernel/day.ts";
import { choose, DESK, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const desk = await aDesk(house, {
  village: "退款店",
  permits: [...APPLYING, ...PAYING, "102.query", "102.get", "16.query"],
});
await aTill(house, desk.villageId);
const today = dayInZone(new Date());
const refunds = `${base}/accountManage/RefundManage`;

/** A reservation that was paid by a code. */
async function held(room: string): Promise<number> {
  const { id } = await aReservation(house, desk, {
    roomId: await desk.room(room),
    moveInDay: addDays(today, 5),
    plannedEndDay: addDays(today, 369),
    holdUntil: addDays(today, 4),
  });
  const { token } = await house.did(
    showReservationCode,
    { as: desk.clerk, key: randomUUID() },
    { params: { id }, body: {} },
  );
  await house.did(payTill, {}, { params: { token } });
  return id;
}

test("a paid reservation is given up: its money is refunded by the page, back the way it came, by itself", async () => {
  const id = await held("6001");
  const { page, errors } = await open({ as: desk.boss, size: DESK });
  const settled = settling(page);
  await page.goto(`${base}/configuration/BookingManagement?tab=reservation&state=&id=${id}&act=cancel`);
  const record = page.getByRole("dialog", { name: /^沈知夏 YD/ });
  const cancel = page.getByRole("dialog", { name: /^取消并退款/ });
  await cancel.getByLabel("原因").fill("客户工作地点变动");
  await cancel.getByRole("button", { name: "申请退款 1,000.00" }).click();
  await record.getByText("退款中", { exact: true }).first().waitFor();
  await settled();
  await record.getByRole("button", { name: "查看退款" }).click();

  const refund = page.getByRole("dialog", { name: /^TK/ });
  await refund.getByText("待支付").first().waitFor();
  await refund.getByRole("button", { name: "支付", exact: true }).click();
  await page
    .getByRole("dialog", { name: /^支付退款 TK/ })
    .getByRole("button", { name: "支付" })
    .click();
  await expect
    .poll(async () => (await reservationOf(house, desk, id)).state, { timeout: 20_000 })
    .toBe("refunded");
  await page.reload();
  await refund.getByText("已退款", { exact: true }).first().waitFor();
  await refund.getByText("原路退回").first().waitFor();
  expect(errors).toEqual([]);
});

test("prepaid money is asked back, paid by the bank with its slip, and the stores' sums agree", async () => {
  const { partyId, roomId } = await house.database.db
    .selectFrom("reservation")
    .select(["partyId", "roomId"])
    .where(
      "id",
      "=",
      (
        await aReservation(house, desk, {
          roomId: await desk.room("6002"),
          moveInDay: addDays(today, 5),
          plannedEndDay: addDays(today, 369),
          holdUntil: addDays(today, 4),
          name: "江月明",
        })
      ).id,
    )
    .executeTakeFirstOrThrow();
  await acting(house, (act) =>
    receiveWhole(
      act,
      { villageId: desk.villageId, partyId, roomId },
      {
        amount: 88_000,
        channel: "cash",
        merchantAccountId: desk.accounts.cash,
        paidAt: new Date(Date.now() - 60_000).toISOString(),
      },
    ),
  );
  const bank = await bookOf(house, "1002");
  const { page, errors } = await open({ as: desk.boss, size: DESK });
  const settled = settling(page);
  const option = (text: string | RegExp) =>
    page.locator(".ant-select-dropdown:visible .ant-select-item-option").filter({ hasText: text }).first();
  await page.goto(`${refunds}?tab=all`);
  await page.getByRole("button", { name: "申请退款" }).click();
  const form = page.getByRole("dialog", { name: "申请退款" });
  await choose(async () => {
    await form.getByLabel("客户", { exact: true }).click();
    await form.getByLabel("客户", { exact: true }).fill("江月明");
  }, option("江月明"));
  await choose(() => form.getByLabel("款项").click(), option("可退 880.00"));
  await form.getByLabel("退款金额").fill("900");
  await form.getByText(/退款金额超过可退余额/).waitFor();
  await form.getByLabel("退款金额").fill("800");
  await form.getByLabel("原因").fill("多缴房租");
  await form.getByText("不是扫码收的款，渠道不能原路退回，建议银行打款").waitFor();
  await form.getByLabel("开户行").fill("杭州滨江支行");
  await form.getByLabel("账号").fill("6222020200011234567");
  await settled();
  await form.getByRole("button", { name: "提交申请" }).click();
  await form.waitFor({ state: "detached" });

  const row = page.getByRole("row", { name: /江月明/ });
  await row.getByText("****4567").waitFor();
  await row.getByText(/^TK\d/).click();
  const refund = page.getByRole("dialog", { name: /^TK/ });
  await refund.getByRole("button", { name: "确认已付" }).click();
  const paying = page.getByRole("dialog", { name: /^确认已付 TK/ });
  await paying
    .locator("input[type=file]")
    .setInputFiles({ name: "回单.pdf", mimeType: "application/pdf", buffer: aPdf() });
  await paying.getByRole("button", { name: "移除 回单.pdf" }).waitFor();
  await settled();
  await paying.getByRole("button", { name: "确认已付 800.00" }).click();
  await refund.getByText("已退款", { exact: true }).first().waitFor();
  expect(await bookOf(house, "1002")).toBe(bank + 80_000);

  await page.goto(`${base}/accountManage/RefundManageByVillage`);
  await page.getByRole("cell", { name: "退款店", exact: true }).waitFor();
  await expect.poll(() => page.getByText("分组合计与总计不一致").count()).toBe(0);
  expect(errors).toEqual([]);
});

test("finance opens a store's row and pays at once what waits in it and goes back by its channel", async () => {
  const id = await held("6003");
  await actingOn(house, desk, "客户行程有变")(cancelReservation, id, { refund: true });
  const { page, errors } = await open({ as: desk.boss, size: DESK });
  await page.goto(`${base}/accountManage/RefundManageByVillage`);
  await page.getByRole("button", { name: "展开 退款店" }).click();
  await page.getByRole("button", { name: "支付 1 笔" }).click();
  const asked = page.getByRole("dialog", { name: "批量支付" });
  await asked.getByText("1 笔退款共 1,000.00 元按原路退回。").waitFor();
  await asked.getByRole("button", { name: "支付" }).click();
  await page.getByText("没有待支付的退款").waitFor();
  await expect
    .poll(async () => (await reservationOf(house, desk, id)).state, { timeout: 20_000 })
    .toBe("refunded");
  expect(errors).toEqual([]);
});

test("on a phone the refunds are cards that open", async () => {
  const { page, errors } = await open({ as: desk.boss, size: PHONE, theme: "dark" });
  await page.goto(`${refunds}?tab=all`);
  await page.getByText("江月明").first().click();
  await page.getByRole("dialog", { name: /^TK/ }).waitFor();
  expect(errors).toEqual([]);
});
