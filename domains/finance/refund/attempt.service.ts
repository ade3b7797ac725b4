import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { type MerchantAccount, accountPaid, checkCash } from "../account/account.service.ts";
import type { Channel } from "../account/channel.rules.ts";
import { markReversed } from "../flow/allocate.service.ts";
import { refundEntry } from "../flow/flow.rules.ts";
import { insertFlow, noteFlow, paidOnOf } from "../flow/flow.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import type { PayDriver, RefundTold } from "../pay-order/pay-order.rules.ts";
import { driverOf } from "../pay-order/driver.service.ts";
import { hearsOfRefunds } from "../pay-order/settle.service.ts";
import { type Attempt, type Refund, attemptOf, lockAttempt, readRefund, unsure } from "./refund.queries.ts";
import { earnestOwner } from "./refund.service.ts";
import { moveRefund, noteRefund, tellFailed } from "./move.service.ts";
import { askAfter } from "./refund.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

const isOpen = (attempt: Attempt | undefined): attempt is Attempt =>
  !!attempt && !attempt.told && (attempt.state === "requested" || attempt.state === "unknown");

/** The refund is locked before its attempt, in every act. */
async function lockBoth(act: Act, attemptId: number) {
  const row = await aRow(act, "refundAttempt", ["refundId"], { id: attemptId });
  const r = row && (await readRefund(act, row.refundId, true));
  const attempt = r && (await lockAttempt(act, attemptId));
  return isOpen(attempt) ? { r: r!, attempt } : undefined;
}

/** Books what a channel says became of an attempt. */
async function book(act: Act, attemptId: number, told: RefundTold): Promise<void> {
  const both = await lockBoth(act, attemptId);
  if (!both || told.state === "open") return;
  const { r, attempt } = both;
  if (told.state === "failed") return failAttempt(act, r, attempt, told.message || "渠道退款失败");
  await settleAttempt(act, r, attempt, {
    channel: attempt.channel as Channel,
    paidAt: act.now.toISOString(),
    outTradeNo: attempt.channelRefundNo,
    channelTradeNo: told.refundId,
    channelRefundId: told.refundId,
  });
}

/**
 * Sends one attempt, or asks what became of it: under its own number, so that it moves money once. A channel that does
 * not answer leaves it unknown; it is asked again, later and later.
 */
export async function pursue(act: Act, attemptId: number, first: boolean): Promise<void> {
  const both = await lockBoth(act, attemptId);
  if (!both) return;
  const { r, attempt } = both;
  const request = {
    refundNo: attempt.channelRefundNo,
    orderNo: attempt.outTradeNo!,
    amount: attempt.amount,
    total: attempt.total!,
    reason: r.reason,
  };
  const asked = async (driver: PayDriver): Promise<RefundTold> =>
    (first ? undefined : await driver.queryRefund(attempt.channelRefundNo)) ?? driver.refund(request);
  let told: RefundTold | undefined;
  let message = "";
  try {
    told = await asked(await driverOf(act, attempt.merchantAccountId!));
  } catch (error) {
    // a refusal here is of the account or of an answer that was not signed right: nobody knows what became of it
    if (!(error instanceof Refusal) && !mayPass(error)) throw error;
    message = (error as Error).message.slice(0, 200);
  }
  const minutes = askAfter(attempt.asked + 1);
  await act.tx
    .updateTable("refundAttempt")
    .set({
      state: told ? "requested" : "unknown",
      message,
      asked: attempt.asked + 1,
      askedAt: act.now.toISOString(),
      nextAskAt: new Date(act.now.getTime() + minutes * 60_000).toISOString(),
    })
    .where("id", "=", attempt.id)
    .execute();
  if (told) await book(act, attempt.id, told);
}

hearsOfRefunds(async (act, told) => {
  const attempt = await attemptOf(act, told.refundNo);
  if (attempt) await book(act, attempt.id, told);
});

export type Sent = {
  channel: Channel;
  paidAt: string;
  outTradeNo?: string;
  channelTradeNo?: string;
  channelRefundId?: string;
  remark?: string;
  fileIds?: readonly number[];
};

/** The money of one attempt has left its account (E13), once; with the last of them the refund is paid. */
export async function settleAttempt(act: Act, r: Refund, attempt: Attempt, sent: Sent): Promise<string> {
  const account = await accountPaid(act, attempt.merchantAccountId!);
  await checkCash(act, account, attempt.amount);
  const { id, flowNo, paidOn } = await flowOut(act, r, attempt, account, sent);
  await act.tx
    .updateTable("refundAttempt")
    .set({
      state: "success",
      flowId: id,
      message: "",
      channelRefundId: sent.channelRefundId ?? "",
      nextAskAt: null,
      endedAt: act.now.toISOString(),
    })
    .where("id", "=", attempt.id)
    .execute();
  const paid = r.paid + attempt.amount;
  r.paid = paid;
  const whole = paid === r.amount;
  await moveRefund(act, r, whole ? "paid" : r.status, {
    paid,
    flowId: id,
    ...(whole && { paidAt: sent.paidAt, paidOn, failure: "" }),
  });
  await noteRefund(act, r, "退款支付", `支付 ${yuan(attempt.amount)} 元，流水 ${flowNo}`);
  if (whole && r.source === "earnest") await earnestOwner().paid(act, r.id);
  if (!whole) await endIfNothingIsOut(act, r);
  return flowNo;
}

async function flowOut(act: Act, r: Refund, attempt: Attempt, account: MerchantAccount, sent: Sent) {
  const { villageId, partyId, roomId } = r;
  const paidOn = paidOnOf(act, sent.paidAt);
  const flow = {
    direction: "out" as const,
    kind: "refund" as const,
    villageId,
    partyId,
    roomId,
    channel: sent.channel,
    merchantAccountId: account.id,
    amount: attempt.amount,
    fee: 0,
    paidAt: sent.paidAt,
    paidOn,
    payerName: r.payeeName,
    channelTradeNo: sent.channelTradeNo ?? null,
    ...(sent.outTradeNo && { outTradeNo: sent.outTradeNo }),
    remark: sent.remark || `退款 ${r.refundNo}`,
    fileIds: sent.fileIds ?? [],
    state: "confirmed" as const,
  };
  const made = await insertFlow(act, flow);
  await post(act, [refundEntry({ ...flow, id: made.id }, account)]);
  await noteFlow(act, { ...made, villageId }, "退款支付", `退款 ${r.refundNo} 已支付`);
  return { ...made, paidOn };
}

/** The channel will not send it. */
export async function failAttempt(act: Act, r: Refund, attempt: Attempt, why: string): Promise<void> {
  const message = why.slice(0, 200);
  await act.tx
    .updateTable("refundAttempt")
    .set({ state: "failed", message, nextAskAt: null, endedAt: act.now.toISOString() })
    .where("id", "=", attempt.id)
    .execute();
  await moveRefund(act, r, r.status, { failure: message });
  await endIfNothingIsOut(act, r);
}

/** Nothing is under way any more and not all of it was paid: it failed, and people hear of it. */
async function endIfNothingIsOut(act: Act, r: Refund): Promise<void> {
  if (r.status !== "paying" || (await unsure(act, r.id))) return;
  const { failure } = await theRow(act, "refund", ["failure"], { id: r.id });
  await moveRefund(act, r, "failed");
  await noteRefund(act, r, "退款失败", failure || "部分款项未能退出");
  await tellFailed(act, r, failure || "部分款项未能退出");
}

/** The bank has sent it back: what was paid is owed again (the mirror of E13). */
export async function takeReturned(act: Act, r: Refund, attempt: Attempt, reason: string): Promise<void> {
  const [paid] = await entriesOf(act, { sourceType: "flow", sourceIds: [attempt.flowId!], events: ["E13"] });
  const as = { event: "E13", sourceType: "flow", sourceId: attempt.flowId!, seq: 1 } as const;
  await post(act, [mirrorOf(paid!, { ...as, businessDate: act.today, memo: reason })]);
  await markReversed(act, attempt.flowId!, reason);
  await markReturned(act, r, attempt, reason);
}

/** It came back as money of its own, which whoever calls has booked: what was paid is owed again. */
export async function markReturned(act: Act, r: Refund, attempt: Attempt, reason: string): Promise<void> {
  await act.tx
    .updateTable("refundAttempt")
    .set({ state: "returned", message: reason.slice(0, 200) })
    .where("id", "=", attempt.id)
    .execute();
  await moveRefund(act, r, "failed", {
    paid: r.paid - attempt.amount,
    paidAt: null,
    paidOn: null,
    flowId: null,
    failure: reason,
  });
  r.paid -= attempt.amount;
  await noteRefund(act, r, "登记退回", `${yuan(attempt.amount)} 元被银行退回：${reason}`);
  await tellFailed(act, r, `银行退回：${reason}`);
  if (r.source === "earnest") await earnestOwner().returned(act, r.id, reason);
}
