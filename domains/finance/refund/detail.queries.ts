import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { logOf } from "../bill/detail.queries.ts";
import { entriesShown } from "../journal/shown.queries.ts";
import { refunds } from "./list.queries.ts";
import type { getRefund } from "./refund.contract.ts";

type Detail = z.input<typeof getRefund.reply>;
type Head = Pick<Detail, "relation" | "routeNote" | "approvedAt" | "endReason">;

export async function refundDetailOf(read: Read, id: number): Promise<Detail> {
  const row = await refunds.one(read, id);
  const head = await sql<Head>`
    select relation, route_note "routeNote", approved_at "approvedAt", end_reason "endReason" from refund
    where id = ${id}`.execute(read.tx);
  const attempts = await attemptsShown(read, id);
  return {
    ...row,
    ...head.rows[0]!,
    files: (await filesOf(read, "refund", [id])).get(id) ?? [],
    parts: await partsShown(read, id),
    attempts,
    entries: await entriesShown(read, [
      { type: "refund", ids: [id] },
      { type: "flow", ids: attempts.flatMap((a) => a.flowId ?? []) },
    ]),
    log: await logOf(read, "refund", id),
  };
}

async function partsShown(read: Read, id: number): Promise<Detail["parts"]> {
  const { rows } = await sql<Detail["parts"][number]>`
    select p.seq + 1 id, p.flow_id "flowId", coalesce(f.flow_no, '期初余额') "flowNo", f.paid_on "paidOn", p.amount
    from refund_part p left join flow f on f.id = p.flow_id where p.refund_id = ${id} order by p.seq`.execute(
    read.tx,
  );
  return rows;
}

async function attemptsShown(read: Read, id: number): Promise<Detail["attempts"]> {
  const { rows } = await sql<Detail["attempts"][number]>`
    select a.id, a.requested_at "requestedAt", a.route, a.channel_refund_no "channelRefundNo",
      coalesce(m.name, '') "accountName", a.amount, a.state, a.message, a.flow_id "flowId", f.flow_no "flowNo"
    from refund_attempt a left join merchant_account m on m.id = a.merchant_account_id
    left join flow f on f.id = a.flow_id where a.refund_id = ${id} order by a.seq desc`.execute(read.tx);
  return rows;
}
