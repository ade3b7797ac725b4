import { yuan } from "../../../platform/kernel/fen.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { accountPaid, checkCash, type MerchantAccount } from "../account/account.service.ts";
import { refundEntry } from "../flow/flow.rules.ts";
import { insertFlow, noteFlow, paidOnOf } from "../flow/flow.service.ts";
import type { Channel } from "../account/channel.rules.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import type { Attempt } from "./attempt.queries.ts";
import { moveRefund, noteRefund, tellFailed } from "./note.service.ts";
import { earnestOwner } from "./owner.service.ts";
import { unsure, type Refund } from "./record.queries.ts";

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
  const { failure } = await act.tx
    .selectFrom("refund")
    .select("failure")
    .where("id", "=", r.id)
    .executeTakeFirstOrThrow();
  await moveRefund(act, r, "failed");
  await noteRefund(act, r, "退款失败", failure || "部分款项未能退出");
  await tellFailed(act, r, failure || "部分款项未能退出");
}

/** The bank has sent it back: what was paid is owed again (the mirror of E13). */
export async function takeReturned(act: Act, r: Refund, attempt: Attempt, reason: string): Promise<void> {
  const [paid] = await entriesOf(act, { sourceType: "flow", sourceIds: [attempt.flowId!], events: ["E13"] });
  const as = { event: "E13", sourceType: "flow", sourceId: attempt.flowId!, seq: 1 } as const;
  await post(act, [mirrorOf(paid!, { ...as, businessDate: act.today, memo: reason })]);
  await act.tx
    .updateTable("flow")
    .set({
      state: "reversed",
      reversedAt: act.now.toISOString(),
      reversedOn: act.today,
      reversedBy: act.who.operatorId || null,
      reverseReason: reason,
      updatedAt: act.now.toISOString(),
      version: NEXT_VERSION,
    })
    .where("id", "=", attempt.flowId)
    .execute();
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
