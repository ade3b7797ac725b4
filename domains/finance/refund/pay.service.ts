import { randomUUID } from "node:crypto";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { FileReply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { amongWords } from "../../../platform/server/lists/conditions.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { accountFor } from "../account/account.service.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { type Refund, attemptsOf, keptParts, lockAttempt, lockRefund, unsure } from "./refund.queries.ts";
import { moveRefund, noteRefund, paperOf, tellFailed } from "./move.service.ts";
import { proposePayee, takeWay } from "./payee.service.ts";
import { type PayeeGiven, cashLimitOf, payeeOf } from "./plan.service.ts";
import { refundSent } from "./refund.contract.ts";
import { REFUND_MOVES, type Route, TABS, whyNotRoute } from "./refund.rules.ts";
import { settleAttempt, takeReturned } from "./attempt.service.ts";

/** Over `refund r`: the list's tab 待支付. */
export const waitsToBePaid = (villages: readonly number[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(r.village_id = ${anyOf(villages)} and ${amongWords("r.state")(TABS.toPay.states)})`;

/** Locked, in scope and as the person saw it; one that waits for approval, as it is or for another payee, is left alone. */
async function actedOn(act: Act, id: number, version: number): Promise<Refund> {
  const r = await lockRefund(act, id);
  asSeen(r, version);
  await refuseFrozen(act, "refund", [id]);
  return r;
}

const nextSeq = async (act: Act, refundId: number): Promise<number> =>
  (await attemptsOf(act, refundId)).reduce((most, a) => Math.max(most, a.seq), 0) + 1;

/** Our number at a channel: letters and digits, and the same for as long as an attempt lives. */
const numberOf = (r: Refund, seq: number): string =>
  `${r.refundNo.replaceAll("-", "")}${String(seq).padStart(2, "0")}`;

/** Sends it back the way it came, each part to its own payment. The sending is a job's; the answer is the channel's. */
export async function payByChannel(act: Act, id: number, version: number): Promise<void> {
  const r = await actedOn(act, id, version);
  const state = REFUND_MOVES.next("pay", r);
  const parts = await keptParts(act, id);
  const why = whyNotRoute("channel", { parts, amount: r.amount, today: act.today, cashLimit: 0 });
  if (why) throw new Refusal("notAllowed", `${why}，请更换退款方式`);
  let seq = await nextSeq(act, id);
  for (const part of parts) {
    const { id: attemptId } = await act.tx
      .insertInto("refundAttempt")
      .values({
        refundId: id,
        seq,
        route: "channel",
        originalFlowId: part.flowId,
        merchantAccountId: part.merchantAccountId,
        channelRefundNo: numberOf(r, seq++),
        amount: part.amount,
        requestedAt: act.now.toISOString(),
        nextAskAt: new Date(act.now.getTime() + 60_000).toISOString(),
        createdBy: act.who.operatorId || null,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    await act.emit(refundSent, { id: attemptId });
  }
  await moveRefund(act, r, state, { failure: "" });
  await noteRefund(act, r, "提交支付", `${yuan(r.amount - r.paid)} 元原路退回`);
}

/** Asks the channel once more for what it refused, under the same numbers. */
export async function retry(act: Act, id: number, version: number): Promise<void> {
  const r = await actedOn(act, id, version);
  const state = REFUND_MOVES.next("retry", r);
  const again = await act.tx
    .updateTable("refundAttempt")
    .set({
      state: "requested",
      message: "",
      asked: 0,
      endedAt: null,
      nextAskAt: new Date(act.now.getTime() + 60_000).toISOString(),
    })
    .where("refundId", "=", id)
    .where("state", "=", "failed")
    .returning("id")
    .execute();
  if (!again.length) throw new Refusal("notAllowed", "没有可重试的退款，请更换方式");
  for (const { id: attemptId } of again) await act.emit(refundSent, { id: attemptId });
  await moveRefund(act, r, state, { failure: "" });
  await noteRefund(act, r, "重试", "按原退款号重新提交");
}

export type Rerouting = PayeeGiven & { version: number; route: Route };

/**
 * Another way, or another account, for what has not been paid. Another payee waits for approval where a process says so:
 * answers its number.
 */
export async function reroute(act: Act, id: number, to: Rerouting): Promise<string | null> {
  const r = await actedOn(act, id, to.version);
  REFUND_MOVES.next("reroute", r);
  if (await unsure(act, id)) throw new Refusal("notAllowed", "渠道尚未答复，请稍后再更换方式");
  const parts = await keptParts(act, id);
  const left = r.amount - r.paid;
  const cashLimit = await cashLimitOf(act, r.villageId);
  const why = whyNotRoute(to.route, { parts, amount: left, today: act.today, cashLimit });
  if (why) throw invalid({ field: "route", msg: why });
  const way = { ...(await payeeOf(act, r.partyId, to.route, to)), route: to.route };
  await attachFiles(act, to.fileIds ?? [], paperOf(r));
  const waiting = way.payeeName === r.payeeName ? null : await proposePayee(act, r, way);
  if (!waiting) await takeWay(act, r, way);
  return waiting;
}

export type Payout = {
  version: number;
  merchantAccountId: number;
  paidAt: string;
  channelTradeNo: string;
  remark: string;
  fileIds: readonly number[];
  /** The line of a bank's statement that proves it. */
  toldLineId?: number;
};

/** Paid by hand, from a bank account or the cash box. */
export async function confirmPaid(act: Act, id: number, payout: Payout): Promise<{ flowNo: string }> {
  const r = await actedOn(act, id, payout.version);
  REFUND_MOVES.next("confirm", r);
  if (await unsure(act, id)) throw new Refusal("notAllowed", "渠道尚未答复，请稍后再确认");
  const channel = r.route === "cash" ? ("cash" as const) : ("bankTransfer" as const);
  const { villageId } = r;
  await accountFor(act, {
    villageId,
    channel,
    merchantAccountId: payout.merchantAccountId,
    direction: "out",
  });
  const seq = await nextSeq(act, id);
  const made = await act.tx
    .insertInto("refundAttempt")
    .values({
      refundId: id,
      seq,
      route: r.route,
      merchantAccountId: payout.merchantAccountId,
      channelRefundNo: numberOf(r, seq),
      amount: r.amount - r.paid,
      toldLineId: payout.toldLineId ?? null,
      requestedAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const attempt = (await lockAttempt(act, made.id))!;
  const { toldLineId: _, ...paid } = payout;
  const flowNo = await settleAttempt(act, r, attempt, { ...paid, channel });
  return { flowNo };
}

/** The bank did not carry out what a payment file told it to: nothing was paid, and it can go another way. */
export async function failed(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<void> {
  const r = await actedOn(act, id, version);
  await moveRefund(act, r, REFUND_MOVES.next("fail", r), { failure: reason });
  await noteRefund(act, r, "付款失败", `${yuan(r.amount - r.paid)} 元未付出：${reason}`);
  await tellFailed(act, r, reason);
}

/** The bank has sent it back. */
export async function returned(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<void> {
  const r = await actedOn(act, id, version);
  REFUND_MOVES.next("returned", r);
  const last = (await attemptsOf(act, id)).findLast((a) => a.state === "success" && a.route === "bank");
  if (!last) throw new Refusal("notAllowed", "没有可登记退回的付款");
  await takeReturned(act, r, last, reason);
}

const HEAD = ["序号", "退款单号", "收款人", "开户行", "收款账号", "金额（元）", "用途"];
/** A sheet would take text that begins so for a formula. */
const cell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
/** With a tab before it a sheet keeps every digit. */
const digits = (text: string): string => `"\t${text}"`;

/** Payments for the bank, as its counter's upload takes them. What stands in the file is under way from then on. */
export async function payoutFileOf(
  act: Act,
  items: readonly { id: number; version: number }[],
): Promise<FileReply> {
  const refunds: Refund[] = [];
  for (const { id, version } of items.toSorted((a, b) => a.id - b.id)) {
    const r = await actedOn(act, id, version);
    const why = REFUND_MOVES.refusal("file", r);
    if (why) throw new Refusal("notAllowed", `${r.refundNo} ${why}`);
    refunds.push(r);
  }
  const no = randomUUID().slice(0, 8);
  const rows = refunds.map((r, i) => {
    const account = act.cipher.open(r.payeeAccount!);
    const yuan = ((r.amount - r.paid) / 100).toFixed(2);
    const texts = [cell(r.payeeName), cell(r.payeeBank), digits(account)];
    return [i + 1, cell(r.refundNo), ...texts, yuan, cell(`退款${r.refundNo}`)].join(",");
  });
  for (const r of refunds) {
    const action = r.status === "paying" ? "再次导出付款文件" : "导出付款文件";
    await moveRefund(act, r, REFUND_MOVES.next("file", r), { filedAt: act.now.toISOString() });
    await noteRefund(act, r, action, `付款文件 ${act.today}-${no}，共 ${refunds.length} 笔`);
  }
  return {
    name: `退款付款文件_${act.today}_${no}.csv`,
    type: "text/csv; charset=utf-8",
    body: `\uFEFF${[HEAD.join(","), ...rows].join("\r\n")}\r\n`,
  };
}
