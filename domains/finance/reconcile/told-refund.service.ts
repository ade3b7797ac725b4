import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { forbidden, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { applyTold } from "../refund/told.service.ts";
import type { AskedSource } from "../refund/held.queries.ts";
import { whyNotRefund } from "./reconcile.rules.ts";
import { compareDays, lockSeen, noteOf } from "./resolve.service.ts";

type Asked = {
  partyId: number;
  source: AskedSource;
  sourceId: number;
  villageId: number;
  note: string;
  version: number;
};
type Line = { at: string; refundNo: string | null; flowId: number | null };

/** Says whose money a channel has given back, by a refund that its line pays; once that is booked the two are one movement. */
export async function registerRefund(act: Act, id: number, of: Asked) {
  if (!act.who.permits.has("108.add")) throw forbidden();
  const { account, item } = await lockSeen(act, id, of.version);
  const why = whyNotRefund({ ...item, accountKind: account.kind });
  if (why) throw new Refusal("notAllowed", why);
  const { rows } = await sql<Line>`
    select l.occurred_at at, l.channel_refund_no "refundNo", (select min(f.id) from flow f where f.direction = 'in'
      and f.merchant_account_id = l.merchant_account_id
      and (f.out_trade_no = l.out_trade_no collate "default" or f.channel_trade_no = l.channel_trade_no collate "default")) "flowId"
    from statement_line l where l.id = ${item.lineId}`.execute(act.tx);
  const { at, refundNo, flowId } = rows[0]!;
  const amount = -item.theirs!;
  const { version: _, note, ...from } = of;
  const applied = await applyTold(act, {
    ...from,
    reason: note,
    told: {
      lineId: item.lineId!,
      merchantAccountId: account.id,
      amount,
      refundNo,
      originalFlowId: flowId,
      at: new Date(at).toISOString(),
    },
  });
  await act.note(noteOf(account, item, "登记退款", `退款 ${applied.refundNo}，${yuan(amount)} 元：${note}`));
  await compareDays(act, account, [item.day]);
  return { id: applied.id, refundNo: applied.refundNo, waiting: applied.waiting };
}
