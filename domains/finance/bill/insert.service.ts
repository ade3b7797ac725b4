import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { BillRow, LineRow } from "./make.rules.ts";

export async function insertBills(act: Act, bills: readonly BillRow[]): Promise<void> {
  const rows = JSON.stringify(
    bills.map(({ lines: _, subjectIds, ...row }) => ({ ...row, subjectIds: `{${subjectIds.join(",")}}` })),
  );
  const by = act.who.operatorId || null;
  const at = act.now.toISOString();
  await sql`
    insert into bill (id, bill_no, direction, village_id, room_id, contract_id, party_id, title, due_date, issue_date,
      issued_at, period_start, period_end, source, source_id, grace_days, late_fee_rate, late_fee_cap, remark,
      amount, adjusted, subject_ids, created_at, created_by, updated_at, updated_by)
    select r.id, r."billNo", r.direction, r."villageId", r."roomId", r."contractId", r."partyId", r.title, r."dueDate",
      r."issueDate", case when r.issued then ${at}::timestamptz end, r."periodStart", r."periodEnd", r.source,
      r."sourceId", r."graceDays", r."lateFeeRate", r."lateFeeCap", r.remark, r.amount, r.adjusted, r."subjectIds",
      ${at}, ${by}, ${at}, ${by}
    from json_to_recordset(${rows}::json) r(id bigint, "billNo" text, direction text, "villageId" bigint,
      "roomId" bigint, "contractId" bigint, "partyId" bigint, title text, "dueDate" date, "issueDate" date,
      issued boolean, "periodStart" date, "periodEnd" date, source text, "sourceId" bigint, "graceDays" int,
      "lateFeeRate" numeric, "lateFeeCap" numeric, remark text, amount bigint, adjusted bigint, "subjectIds" bigint[])
  `.execute(act.tx);
}

/** Writes lines as they are; whoever adds one to an existing bill keeps the bill's sums too. */
export async function insertLines(act: Act, lines: readonly LineRow[]): Promise<void> {
  await sql`
    insert into bill_line (id, bill_id, fee_subject_id, kind, room_id, amount, adjusted, tax_mode, tax_rate, tax,
      period_start, period_end, slices, explain, adjusts_line_id, reason, created_at, created_by)
    select r.id, r."billId", r."feeSubjectId", r.kind, r."roomId", r.amount, r.adjusted, r."taxMode", r."taxRate",
      r.tax, r."periodStart", r."periodEnd", r.slices, r.explain, r."adjustsLineId", r.reason,
      ${act.now.toISOString()}, ${act.who.operatorId || null}
    from json_to_recordset(${JSON.stringify(lines)}::json) r(id bigint, "billId" bigint, "feeSubjectId" bigint,
      kind text, "roomId" bigint, amount bigint, adjusted bigint, "taxMode" text, "taxRate" numeric, tax bigint,
      "periodStart" date, "periodEnd" date, slices jsonb, explain jsonb, "adjustsLineId" bigint, reason text)
  `.execute(act.tx);
}
