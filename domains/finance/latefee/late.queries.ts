import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { lookedUp } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Bill, Line } from "../bill/bill.rules.ts";

type LateLine = Pick<
  Line,
  | "id"
  | "feeSubjectId"
  | "kind"
  | "amount"
  | "adjusted"
  | "settled"
  | "writtenOff"
  | "periodEnd"
  | "adjustsLineId"
>;
/** What a late fee is worked out from: every bill with its lines has it. */
export type LateBill = Pick<
  Bill,
  | "id"
  | "villageId"
  | "direction"
  | "dueDate"
  | "graceDays"
  | "lateFeeRate"
  | "lateFeeCap"
  | "voidedAt"
  | "disputedFrom"
> & { lines: LateLine[] };

/**
 * Those of some bills that bear a late fee by the end of a day, with the fees that stood on them by then: what was written
 * later is no part of what could be expected. A page of arrears reads this of its bills and nothing else.
 */
export async function lateBillsAt(
  read: Pick<Read, "tx">,
  ids: readonly number[],
  day: Day,
): Promise<LateBill[]> {
  if (!ids.length) return [];
  const { rows } = await sql<Omit<LateBill, "id" | "lines"> & LateLine & { billId: number }>`
    select b.id "billId", b.village_id "villageId", b.direction, b.due_date "dueDate", b.grace_days "graceDays",
      b.late_fee_rate "lateFeeRate", b.late_fee_cap "lateFeeCap", b.voided_at "voidedAt", b.disputed_from "disputedFrom",
      l.id, l.fee_subject_id "feeSubjectId", l.kind, l.amount, l.adjusted, l.settled, l.written_off "writtenOff",
      l.period_end "periodEnd", l.adjusts_line_id "adjustsLineId"
    from bill b join bill_line l on l.bill_id = b.id
    where b.id = ${lookedUp(ids)} and b.late_fee_rate > 0 and b.due_date + b.grace_days < ${day}::date
      and (l.kind not in ('lateFee', 'trim') or l.created_at::date <= ${day}::date)
    order by b.id, l.id`.execute(read.tx);
  return [...Map.groupBy(rows, (row) => row.billId)].map(([id, lines]) => ({ ...lines[0]!, id, lines }));
}
