import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import {
  cancelRefund,
  confirmRefund,
  payRefund,
  rerouteRefund,
  retryRefund,
  returnRefund,
} from "../../finance/refund/refund.contract.ts";
import { refundTold } from "../../finance/pay-order/settle.service.ts";
import { askingChannels, BANK, onRefund, refundOf } from "../../finance/refund/refund.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { aRefundDesk } from "./refund.sample.ts";
import { bookOf, ledgerBreaks, reservationOf } from "../reservation/reservation.sample.ts";

const house = await testHouse({ poolSize: 12 });
const NOW = "2026-11-20T09:00:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const { desk, heldByCode, cancelling, paperOf } = await aRefundDesk(house);
const { clerk, boss } = desk;
const { pool } = house.database;
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

  test("a channel that is silent holds its refund; told twice while it is asked a day later, it is paid once", async () => {
    const { id, orderNo } = await heldByCode("4005");
    await cancelling(id);
    const { refundId } = await reservationOf(house, desk, id);
    const clearing = await bookOf(house, "1012");
    expect((await onRefund(house, boss, payRefund, refundId!)).status).toBe(200);
    const { attempts } = await refundOf(house, boss, refundId!);
    const refundNo = attempts[0]!.channelRefundNo;
    expect((await onRefund(house, boss, cancelRefund, refundId!, { reason: "客户继续预订" })).status).toBe(
      409,
    );
    expect((await onRefund(house, boss, rerouteRefund, refundId!, BANK)).status).toBe(409);
    house.setClock("2026-11-21T09:00:00+08:00");
    const told = { about: "refund" as const, refundNo, state: "done" as const, refundId: "R1", message: "" };
    const telling = () => acting(house, (act) => refundTold(act, told));
    await Promise.all([telling(), askingChannels(house), telling(), house.deliver()]);
    const paid = await refundOf(house, boss, refundId!);
    expect(paid).toMatchObject({ state: "paid", paid: 100_000 });
    expect(paid.attempts).toMatchObject([{ state: "success", amount: 100_000 }]);
    expect(await bookOf(house, "1012")).toBe(clearing + 100_000);
    const { rows } = await pool.query("select refunded::int from till_order where order_no = $1", [orderNo]);
    expect(rows[0]!.refunded).toBeLessThanOrEqual(100_000);
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
