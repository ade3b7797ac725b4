import { sql } from "kysely";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../account/channel.rules.ts";
import { settleAttempt } from "./attempt.service.ts";
import { type AskedSource, holdingOf } from "./held.queries.ts";
import { attemptOf, lockAttempt, readRefund } from "./refund.queries.ts";
import { refundTold } from "./refund.contract.ts";
import { type Applied, applyRefund, settlesTold } from "./refund.service.ts";

/** What a line of a channel tells of money that it has given back. */
export type Told = {
  lineId: number;
  merchantAccountId: number;
  amount: number;
  /** The number that the channel has it by, where it says so. */
  refundNo: string | null;
  /** The payment that went back, where it is one of ours. */
  originalFlowId: number | null;
  at: string;
};
type Registered = {
  source: AskedSource;
  sourceId: number;
  villageId: number;
  partyId: number;
  reason: string;
  told: Told;
};

/**
 * A refund that nobody had applied for, of money that the channel has given back already: it says whose money that was, waits
 * for approval like any other, and is paid by the line. Nothing is sent.
 */
export async function applyTold(act: Act, { told, partyId, ...of }: Registered): Promise<Applied> {
  inScope(act.who, of.villageId);
  const holding = await holdingOf(act, of);
  if (holding.partyId !== partyId) throw invalid({ field: "sourceId", msg: "该款项不属于所选客户" });
  const known = told.refundNo ? await attemptOf(act, told.refundNo) : undefined;
  if (known) {
    const { refundNo } = (await readRefund(act, known.refundId))!;
    throw new Refusal("notAllowed", `该笔退款属于退款单 ${refundNo}，请在退款管理处理`);
  }
  return applyRefund(act, {
    ...of,
    amount: told.amount,
    told: async (refundId, refundNo) => {
      await act.tx
        .insertInto("refundAttempt")
        .values({
          refundId,
          seq: 1,
          route: "channel",
          originalFlowId: told.originalFlowId,
          merchantAccountId: told.merchantAccountId,
          channelRefundNo: told.refundNo ?? `${refundNo.replaceAll("-", "")}01`,
          amount: told.amount,
          requestedAt: told.at,
          toldLineId: told.lineId,
          createdBy: act.who.operatorId || null,
        })
        .execute();
    },
  });
}

type Waiting = { id: number; lineId: number; channel: Channel; paidAt: string; tradeNo: string | null };

/** The money has left when the channel said so, not when somebody approved it. */
settlesTold(async (act, r) => {
  const { rows } = await sql<Waiting>`
    select t.id, l.id "lineId", a.kind channel, l.occurred_at "paidAt",
      -- a channel names the payment in its lines; what went back has the number of its key
      case when l.row_key not like 'R:%' then l.channel_trade_no
        when substr(l.row_key, 3) <> l.channel_trade_no and char_length(l.row_key) <= 66 then substr(l.row_key, 3) end "tradeNo"
    from refund_attempt t join statement_line l on l.id = t.told_line_id
    join merchant_account a on a.id = t.merchant_account_id
    where t.refund_id = ${r.id} and t.state = 'requested'`.execute(act.tx);
  const [told] = rows;
  if (!told) return;
  const attempt = (await lockAttempt(act, told.id))!;
  await settleAttempt(act, r, attempt, {
    channel: told.channel,
    paidAt: new Date(told.paidAt).toISOString(),
    outTradeNo: attempt.channelRefundNo,
    ...(told.tradeNo && { channelTradeNo: told.tradeNo, channelRefundId: told.tradeNo }),
  });
  await act.emit(refundTold, { lineId: told.lineId });
});
