import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/act.ts";
import { constraintSays } from "../../../platform/server/constraints.ts";
import { accountFor, checkCash } from "../account/account.service.ts";
import { addEarnest, earnestHeld } from "../balance/balance.service.ts";
import { lockBills } from "../bill/bills.queries.ts";
import { owedBackEntry } from "../bill/posting.rules.ts";
import type { CounterChannel } from "../flow/flow.rules.ts";
import { refundEntry } from "../flow/flow.rules.ts";
import { insertFlow, noteFlow, paidOnOf } from "../flow/insert.service.ts";
import { post } from "../journal/journal.service.ts";

constraintSays("refund_earnest", { code: "notAllowed", msg: "该定金已申请退款" });

/** Earnest money leaves what is held and is owed back (E12). Two at once: the second finds nothing left. */
export async function applyEarnestRefund(
  act: Act,
  billId: number,
  reason: string,
): Promise<{ id: number; refundNo: string; amount: Fen }> {
  const [bill] = await lockBills(act, [billId]);
  if (!bill) throw notFound();
  const amount = await earnestHeld(act, billId);
  if (!amount) throw new Refusal("notAllowed", "可退余额不足");
  const [refundNo] = await act.numbers("TK");
  const by = act.who.operatorId || null;
  const { id } = await act.tx
    .insertInto("refund")
    .values({
      refundNo: refundNo!,
      source: "earnest",
      sourceId: billId,
      villageId: bill.villageId,
      partyId: bill.partyId,
      roomId: bill.roomId,
      amount,
      reason,
      createdAt: act.now.toISOString(),
      createdBy: by,
      updatedAt: act.now.toISOString(),
      updatedBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await post(act, [owedBackEntry(bill, id, amount, act.today)]);
  await addEarnest(act, [{ billId, villageId: bill.villageId, amount: -amount }]);
  await act.note({
    kind: "refund",
    recordId: id,
    number: refundNo!,
    villageId: bill.villageId,
    action: "申请退款",
    summary: reason,
    after: { amount },
  });
  return { id, refundNo: refundNo!, amount };
}

export type RefundPayment = {
  channel: CounterChannel;
  merchantAccountId: number;
  paidAt: string;
  payeeName?: string | undefined;
  channelTradeNo?: string | undefined;
  remark?: string | undefined;
  fileIds?: readonly number[] | undefined;
};

/** The money has left an account (E13); a refund is paid once. */
export async function payRefund(
  act: Act,
  refundId: number,
  payment: RefundPayment,
): Promise<{ flowNo: string; amount: Fen; paidOn: Day }> {
  const refund = await act.tx
    .selectFrom("refund")
    .selectAll()
    .where("id", "=", refundId)
    .forUpdate()
    .executeTakeFirst();
  if (!refund) throw notFound();
  if (refund.state === "paid") throw new Refusal("notAllowed", "该退款已支付");
  const { villageId, partyId, amount, roomId } = refund;
  const account = await accountFor(act, { ...payment, villageId, direction: "out" });
  await checkCash(act, account, amount);
  const flow = {
    direction: "out" as const,
    kind: "refund" as const,
    villageId,
    partyId,
    roomId,
    channel: payment.channel,
    merchantAccountId: payment.merchantAccountId,
    amount,
    fee: 0,
    paidAt: payment.paidAt,
    paidOn: paidOnOf(act, payment.paidAt),
    payerName: payment.payeeName ?? "",
    channelTradeNo: payment.channelTradeNo ?? null,
    remark: payment.remark ?? "",
    fileIds: payment.fileIds ?? [],
    state: "confirmed" as const,
  };
  const made = await insertFlow(act, flow);
  await post(act, [refundEntry({ ...flow, id: made.id }, account)]);
  await act.tx
    .updateTable("refund")
    .set((eb) => ({
      state: "paid",
      flowId: made.id,
      paidOn: flow.paidOn,
      updatedAt: act.now.toISOString(),
      updatedBy: act.who.operatorId || null,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", refundId)
    .execute();
  const entry = { villageId, action: "退款支付", summary: `退款 ${refund.refundNo} 已支付` };
  await act.note({ ...entry, kind: "refund", recordId: refundId, number: refund.refundNo });
  await noteFlow(act, { id: made.id, flowNo: made.flowNo, villageId }, entry.action, entry.summary);
  return { flowNo: made.flowNo, amount, paidOn: flow.paidOn };
}
