import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, LogEntry } from "../../../platform/server/pipeline/act.ts";
import { changed } from "../../listing/occupancy/occupancy.service.ts";
import { keepContractMoney } from "../balance/balance.service.ts";
import type { Bill } from "./bill.rules.ts";
import type { BillRow, LineRow } from "./make.rules.ts";

/** What an act adds to the kept sums of lines; the sums of their bills follow. */
export type LineChange = {
  billId: number;
  lineId: number;
  adjusted?: Fen;
  settled?: Fen;
  writtenOff?: Fen;
};
/** What a new correction or late-fee line adds to its bill. */
export type BillChange = { billId: number; amount?: Fen; adjusted?: Fen; subjectId?: number };

/** Keeps lines and bills in step after lines were paid, corrected or added. The rows are locked already. */
export async function keepSums(
  act: Act,
  lines: readonly LineChange[],
  bills: readonly BillChange[] = [],
): Promise<void> {
  const { tx } = act;
  if (lines.length)
    await sql`
      update bill_line l set adjusted = l.adjusted + c.adjusted, settled = l.settled + c.settled,
        written_off = l.written_off + c.written_off
      from (
        select "lineId" id, coalesce(sum(adjusted), 0) adjusted, coalesce(sum(settled), 0) settled,
          coalesce(sum("writtenOff"), 0) written_off
        from json_to_recordset(${JSON.stringify(lines)}::json)
          r("lineId" bigint, adjusted bigint, settled bigint, "writtenOff" bigint)
        group by 1) c
      where l.id = c.id`.execute(tx);
  const sums = [
    ...lines.map((c) => ({ billId: c.billId, settled: c.settled, writtenOff: c.writtenOff })),
    ...bills,
  ];
  if (!sums.length) return;
  await sql`
    update bill b set amount = b.amount + c.amount, adjusted = b.adjusted + c.adjusted,
      settled = b.settled + c.settled, written_off = b.written_off + c.written_off,
      subject_ids = case when c.subjects <@ b.subject_ids then b.subject_ids else b.subject_ids || c.subjects end,
      version = b.version + 1, updated_at = ${act.now.toISOString()}, updated_by = ${act.who.operatorId || null}
    from (
      select "billId" id, coalesce(sum(amount), 0) amount, coalesce(sum(adjusted), 0) adjusted,
        coalesce(sum(settled), 0) settled, coalesce(sum("writtenOff"), 0) written_off,
        coalesce(array_agg(distinct "subjectId") filter (where "subjectId" is not null), '{}') subjects
      from json_to_recordset(${JSON.stringify(sums)}::json) r("billId" bigint, amount bigint, adjusted bigint,
        settled bigint, "writtenOff" bigint, "subjectId" bigint)
      group by 1) c
    where b.id = c.id`.execute(tx);
}

/** The last step of every act on bills: contract sums, and the boards that show who owes. */
export async function keepAround(
  act: Act,
  bills: readonly Pick<Bill, "contractId" | "roomId" | "villageId">[],
): Promise<void> {
  await keepContractMoney(
    act,
    bills.map((b) => b.contractId),
  );
  const rooms = new Map(bills.map((b) => [b.roomId, b.villageId]));
  rooms.delete(null);
  await changed(
    act,
    [...rooms].map(([roomId, villageId]) => ({ roomId: roomId!, villageId })),
  );
}

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

/** A line of the log about a bill. */
export const billNote = (
  bill: { id: number; billNo: string; villageId: number },
  action: string,
  summary: string,
  more: Partial<LogEntry> = {},
): LogEntry => {
  const { id: recordId, billNo: number, villageId } = bill;
  return { kind: "bill", recordId, number, villageId, action, summary, ...more };
};
