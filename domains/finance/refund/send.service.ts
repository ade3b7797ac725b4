import type { Act } from "../../../platform/server/pipeline/act.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { PayDriver, RefundTold } from "../pay-order/driver.rules.ts";
import { driverOf } from "../pay-order/driver.service.ts";
import { hearsOfRefunds } from "../pay-order/refund-told.service.ts";
import type { Channel } from "../account/channel.rules.ts";
import { attemptOf, lockAttempt, type Attempt } from "./attempt.queries.ts";
import { readRefund } from "./record.queries.ts";
import { askAfter } from "./refund.rules.ts";
import { failAttempt, settleAttempt } from "./settle.service.ts";

const isOpen = (attempt: Attempt | undefined): attempt is Attempt =>
  attempt?.state === "requested" || attempt?.state === "unknown";

/** The refund is locked before its attempt, in every act. */
async function lockBoth(act: Act, attemptId: number) {
  const row = await act.tx
    .selectFrom("refundAttempt")
    .select("refundId")
    .where("id", "=", attemptId)
    .executeTakeFirst();
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
