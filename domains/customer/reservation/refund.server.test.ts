import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/house.sample.ts";
import { decideExamine, getExamine, listExamines } from "../../approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { aTill, paidUntold, notify } from "../../finance/pay-order/pay-order.sample.ts";
import { payTill } from "../../finance/pay-order/pay-order.contract.ts";
import {
  cancelRefund,
  confirmRefund,
  payoutFile,
  payRefund,
  payRefunds,
  refundSources,
  rerouteRefund,
  retryRefund,
  returnRefund,
  revealAccount,
} from "../../finance/refund/acts.contract.ts";
import { listRefunds, refundsByVillage } from "../../finance/refund/refund.contract.ts";
import {
  APPLYING,
  applying,
  askingChannels,
  BANK,
  onRefund,
  PAYING,
  refundOf,
} from "../../finance/refund/refund.sample.ts";
import { aPdf, sendFile } from "../../system/file/file.sample.ts";
import { cancelReservation, showReservationCode } from "./acts.contract.ts";
import { aDesk, aReservation, bookOf, ledgerBreaks, reservationOf } from "./reservation.sample.ts";

const house = await testHouse({ poolSize: 12 });
const NOW = "2026-11-20T09:00:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const desk = await aDesk(house, { permits: [...APPLYING, ...PAYING] });
const { clerk, boss, stranger, villageId } = desk;
const till = await aTill(house, villageId);
const { pool } = house.database;

/** One that was paid at the till and is held. */
async function heldByCode(room: string) {
  const { id } = await aReservation(house, desk, { roomId: await desk.room(room) });
  const { token, orderNo } = await house.did(
    showReservationCode,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: {} },
  );
  await house.did(payTill, {}, { params: { token } });
  return { id, orderNo };
}
/** Money at a customer's disposal, come through the till after the reservation had ended. */
async function prepaidByCode(room: string) {
  const { id } = await aReservation(house, desk, { roomId: await desk.room(room) });
  const { orderNo } = await house.did(
    showReservationCode,
    { as: clerk, key: randomUUID() },
    { params: { id }, body: {} },
  );
  const { body, headers } = await paidUntold(house, till, orderNo);
  await pool.query("update reservation set state = 'cancelled', ended_at = now() where id = $1", [id]);
  await pool.query("delete from occupancy_row where reservation_id = $1", [id]);
  expect((await notify(house, till, body, headers)).statusCode).toBe(200);
  const { partyId } = await reservationOf(house, desk, id);
  return { source: "prepaid" as const, sourceId: partyId, villageId, partyId };
}
const cancelling = async (id: number) =>
  house.did(
    cancelReservation,
    { as: clerk, key: randomUUID() },
    {
      params: { id },
      body: { version: (await reservationOf(house, desk, id)).version, reason: "客户改变计划", refund: true },
    },
  );
const prepaid = async (partyId: number) =>
  Number(
    (
      await pool.query("select coalesce(sum(balance), 0) fen from party_balance where party_id = $1", [
        partyId,
      ])
    ).rows[0].fen,
  );
const paperOf = async (as: typeof boss) =>
  (await sendFile(house, as, { name: "凭证.pdf", bytes: aPdf(), type: "application/pdf" }, "paper10M")).body
    .data.id;
const slip = () => paperOf(boss);

describe("earnest money goes back the way it came", () => {
  test("cancelled, owed, sent and paid: once, with one entry each, and the reservation is 已退款", async () => {
    const { id, orderNo } = await heldByCode("4001");
    const [held, owed, clearing] = [
      await bookOf(house, "2241"),
      await bookOf(house, "2202"),
      await bookOf(house, "1012"),
    ];
    const { refundNo } = await cancelling(id);
    expect(refundNo).toMatch(/^TK20261120-/);
    const { refundId, state } = await reservationOf(house, desk, id);
    expect(state).toBe("refunding");
    expect(await bookOf(house, "2241")).toBe(held - 100_000);
    expect(await bookOf(house, "2202")).toBe(owed + 100_000);
    const before = await refundOf(house, boss, refundId!);
    expect(before).toMatchObject({ state: "toPay", route: "channel", amount: 100_000 });
    const both = await Promise.all([
      onRefund(house, boss, payRefund, refundId!),
      onRefund(house, boss, payRefund, refundId!),
    ]);
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    await house.deliver();
    await askingChannels(house);
    const paid = await refundOf(house, boss, refundId!);
    expect(paid).toMatchObject({ state: "paid", paid: 100_000, failure: "" });
    expect(paid.attempts).toMatchObject([{ state: "success", route: "channel", amount: 100_000 }]);
    expect(await bookOf(house, "2202")).toBe(owed);
    expect(await bookOf(house, "1012")).toBe(clearing + 100_000);
    expect((await reservationOf(house, desk, id)).state).toBe("refunded");
    const { rows } = await pool.query("select refunded::int from till_order where order_no = $1", [orderNo]);
    expect(rows).toEqual([{ refunded: 100_000 }]);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("what the channel refuses fails, is told, retried under the same number, and moves money once", async () => {
    const { id, orderNo } = await heldByCode("4002");
    await cancelling(id);
    const { refundId } = await reservationOf(house, desk, id);
    // the cashier's book says that all of it went back before
    await pool.query("update till_order set refunded = amount where order_no = $1", [orderNo]);
    await onRefund(house, boss, payRefund, refundId!);
    await house.deliver();
    const failed = await refundOf(house, boss, refundId!);
    expect(failed).toMatchObject({ state: "failed", failure: "原收款单可退金额不足" });
    const { rows } = await pool.query(
      "select 1 from message m join message_receipt r on r.message_id = m.id where m.title like '退款失败%' and r.operator_id = $1",
      [clerk.operatorId],
    );
    expect(rows.length).toBe(1);
    await pool.query("update till_order set refunded = 0 where order_no = $1", [orderNo]);
    expect((await onRefund(house, boss, retryRefund, refundId!)).status).toBe(200);
    await house.deliver();
    const paid = await refundOf(house, boss, refundId!);
    expect(paid.state).toBe("paid");
    expect(paid.attempts.map((a) => a.channelRefundNo)).toEqual(
      failed.attempts.map((a) => a.channelRefundNo),
    );
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("a failed one goes another way, and what the bank sends back is owed again", async () => {
    const { id, orderNo } = await heldByCode("4003");
    await cancelling(id);
    const { refundId } = await reservationOf(house, desk, id);
    await pool.query("update till_order set refunded = amount where order_no = $1", [orderNo]);
    await onRefund(house, boss, payRefund, refundId!);
    await house.deliver();
    expect((await onRefund(house, boss, rerouteRefund, refundId!, { route: "bank" })).body.fields).toEqual([
      { field: "payeeBank", msg: "请输入开户行" },
      { field: "payeeAccount", msg: "请输入正确的银行账号" },
    ]);
    expect((await onRefund(house, boss, rerouteRefund, refundId!, { route: "cash" })).body.fields).toEqual([
      { field: "route", msg: "现金退款不能超过 500.00 元" },
    ]);
    expect((await onRefund(house, boss, rerouteRefund, refundId!, BANK)).status).toBe(200);
    const bank = { merchantAccountId: desk.accounts.bankTransfer };
    expect((await onRefund(house, boss, confirmRefund, refundId!, bank)).body.fields).toEqual([
      { field: "fileIds", msg: "请上传付款凭证" },
    ]);
    const before = await bookOf(house, "1002");
    const paying = { ...bank, fileIds: [await slip()] };
    expect((await onRefund(house, boss, confirmRefund, refundId!, paying)).status).toBe(200);
    expect(await bookOf(house, "1002")).toBe(before + 100_000);
    expect((await reservationOf(house, desk, id)).state).toBe("refunded");
    expect((await onRefund(house, boss, returnRefund, refundId!, { reason: "户名不符" })).status).toBe(200);
    expect(await refundOf(house, boss, refundId!)).toMatchObject({
      state: "failed",
      paid: 0,
      failure: "户名不符",
    });
    expect((await reservationOf(house, desk, id)).state).toBe("refunding");
    expect(await bookOf(house, "1002")).toBe(before);
    await onRefund(house, boss, rerouteRefund, refundId!, BANK);
    const again = { ...bank, fileIds: [await slip()] };
    expect((await onRefund(house, boss, confirmRefund, refundId!, again)).status).toBe(200);
    expect(await bookOf(house, "1002")).toBe(before + 100_000);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("cancelled before it is paid, the money is held again and waits for a decision", async () => {
    const { id } = await heldByCode("4004");
    const held = await bookOf(house, "2241");
    await cancelling(id);
    const { refundId } = await reservationOf(house, desk, id);
    expect((await onRefund(house, boss, cancelRefund, refundId!, { reason: "客户继续预订" })).status).toBe(
      200,
    );
    expect(await reservationOf(house, desk, id)).toMatchObject({ state: "lapsed", held: 100_000 });
    expect(await bookOf(house, "2241")).toBe(held);
    await cancelling(id);
    expect((await reservationOf(house, desk, id)).refundId).not.toBe(refundId);
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});

describe("prepaid money", () => {
  test("never more than is there: two at once, and the applications of others", async () => {
    const of = await prepaidByCode("4010");
    const sources = await house.did(refundSources, { as: clerk }, { query: { partyId: of.partyId } });
    expect(sources).toMatchObject([{ source: "prepaid", held: 100_000, available: 100_000 }]);
    expect((await applying(house, clerk, { ...of, amount: 100_001 })).body.fields).toEqual([
      { field: "amount", msg: "退款金额超过可退余额" },
    ]);
    const both = await Promise.all([
      applying(house, clerk, { ...of, amount: 60_000 }),
      applying(house, clerk, { ...of, amount: 60_000 }),
    ]);
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    expect(await prepaid(of.partyId)).toBe(40_000);
    expect(await ledgerBreaks(house)).toEqual([]);
    const id = both.find((b) => b.status === 200)!.body.data.id;
    expect((await onRefund(house, boss, cancelRefund, id, { reason: "申请有误" })).status).toBe(200);
    expect(await prepaid(of.partyId)).toBe(100_000);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("part by part through the channel it came by", async () => {
    const of = await prepaidByCode("4011");
    const first = await applying(house, clerk, { ...of, amount: 30_000, route: "channel" });
    const second = await applying(house, clerk, { ...of, amount: 70_000, route: "channel" });
    const items = await Promise.all(
      [first, second].map(async ({ body }) => ({
        id: body.data.id,
        version: (await refundOf(house, boss, body.data.id)).version,
      })),
    );
    expect(await house.did(payRefunds, { as: boss, key: randomUUID() }, { body: { items } })).toEqual({
      paid: 2,
    });
    await house.deliver();
    const list = await house.did(listRefunds, { as: boss }, { query: { partyId: of.partyId } });
    expect(list.list.map((r) => r.state)).toEqual(["paid", "paid"]);
    expect(list.sums).toMatchObject({ amount: 100_000, paid: 100_000, toPay: 0 });
    expect(await prepaid(of.partyId)).toBe(0);
    expect(await ledgerBreaks(house)).toEqual([]);
  });

  test("to somebody else only with the relation and a paper; the account is masked, and looking at it is logged", async () => {
    const of = await prepaidByCode("4012");
    const other = { ...of, amount: 10_000, payeeName: "沈建国" };
    const no = await applying(house, clerk, other);
    expect(no.body.fields?.map((field) => field.field)).toEqual(["relation", "fileIds"]);
    const made = await applying(house, clerk, {
      ...other,
      relation: "父亲",
      fileIds: [await paperOf(clerk)],
    });
    const { id } = made.body.data;
    expect(await refundOf(house, boss, id)).toMatchObject({
      payeeName: "沈建国",
      payeeTail: "****4567",
      relation: "父亲",
    });
    expect((await house.ask(revealAccount, { as: stranger }, { params: { id } })).status).toBe(404);
    expect(await house.did(revealAccount, { as: boss }, { params: { id } })).toEqual({
      account: BANK.payeeAccount,
    });
    expect((await refundOf(house, boss, id)).log.map((l) => l.action)).toContain("查看收款账号");
  });

  test("a payment file holds whole accounts, once; then the bank's answer is confirmed", async () => {
    const of = await prepaidByCode("4013");
    const { id } = (await applying(house, clerk, { ...of, amount: 20_000 })).body.data;
    const { version } = await refundOf(house, boss, id);
    const filing = () => house.ask(payoutFile, { as: boss }, { body: { items: [{ id, version }] } });
    const file = await filing();
    expect(file.raw.toString("utf8")).toContain(`"\t${BANK.payeeAccount}",200.00`);
    expect((await refundOf(house, boss, id)).state).toBe("paying");
    expect((await filing()).status).toBe(409);
    const paying = { merchantAccountId: desk.accounts.bankTransfer, fileIds: [await slip()] };
    expect((await onRefund(house, boss, confirmRefund, id, paying)).status).toBe(200);
    expect((await refundOf(house, boss, id)).state).toBe("paid");
  });

  test("what was shown must still hold", async () => {
    const of = await prepaidByCode("4014");
    const stale = await applying(house, clerk, { ...of, amount: 20_000, previewHash: "before" });
    expect([stale.status, stale.body.reason]).toEqual([409, "previewChanged"]);
  });
});

describe("who sees them", () => {
  test("nobody outside the store; the stores' rows add up to the whole", async () => {
    const all = await house.did(listRefunds, { as: boss }, { query: {} });
    expect(all.total).toBeGreaterThan(5);
    expect((await house.did(listRefunds, { as: stranger }, { query: {} })).total).toBe(0);
    const villages = await house.did(refundsByVillage, { as: boss }, { query: {} });
    expect(villages.list.length).toBe(1);
    expect(villages.list[0]).toMatchObject({
      applied: all.total,
      amount: all.sums!.amount,
      paid: all.sums!.paid,
    });
    expect(villages.sums).toMatchObject({ applied: all.total, toPay: all.sums!.toPay });
    const some = await house.did(listRefunds, { as: boss }, { query: { keyword: "4567", tab: "paid" } });
    expect(some.list.every((r) => r.payeeTail === "****4567")).toBe(true);
  });
});

describe("approval", () => {
  test("where a process says so it waits, holds nothing back, and is owed with the last approval", async () => {
    const admin = await house.person({ superType: "1", name: "许承锦" });
    const chief = await house.person({ villages: [villageId], permits: APPLYING, name: "罗佳宁" });
    await aModule(house, admin, {
      moduleType: "refund",
      name: "退款审批",
      villageIds: [villageId],
      fallback: admin,
      processes: [otherwise(asking("财务", [chief]))],
    });
    const of = await prepaidByCode("4020");
    const first = await applying(house, clerk, { ...of, amount: 60_000 });
    expect(first.body.data.waiting).toMatch(/^SP/);
    const { id } = first.body.data;
    expect((await refundOf(house, boss, id)).state).toBe("approving");
    expect(await prepaid(of.partyId)).toBe(100_000);
    expect((await applying(house, clerk, { ...of, amount: 60_000 })).body.fields).toEqual([
      { field: "amount", msg: "退款金额超过可退余额" },
    ]);
    expect((await onRefund(house, clerk, cancelRefund, id, { reason: "不退了" })).body.message).toBe(
      "审批中，不能修改",
    );
    const decide = async (decision: "approve" | "reject") => {
      const { list } = await house.did(listExamines, { as: chief }, { query: {} });
      const examine = await house.did(getExamine, { as: chief }, { params: { id: list[0]!.id } });
      expect(examine.title).toMatch(/^退款 TK/);
      await house.did(
        decideExamine,
        { as: chief, key: randomUUID() },
        {
          params: { id: examine.id },
          body: { decision, version: examine.version, comment: "按账核对" } as never,
        },
      );
      await house.deliver();
    };
    await decide("approve");
    expect((await refundOf(house, boss, id)).state).toBe("toPay");
    expect(await prepaid(of.partyId)).toBe(40_000);
    const second = (await applying(house, clerk, { ...of, amount: 40_000 })).body.data.id;
    await decide("reject");
    expect(await refundOf(house, boss, second)).toMatchObject({ state: "rejected", endReason: "审批未通过" });
    expect(await prepaid(of.partyId)).toBe(40_000);
    expect(await ledgerBreaks(house)).toEqual([]);
  });
});
