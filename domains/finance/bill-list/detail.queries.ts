import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { aroundOf, readBills } from "../bill/bills.queries.ts";
import { explainLine } from "./explain.service.ts";
import { bills } from "./list.queries.ts";
import { entriesShown } from "../journal/shown.service.ts";
import { lateFeesOf } from "../latefee/latefee.service.ts";
import { taxWord } from "../subject/subject.rules.ts";
import type { billDetail, billLine } from "./bill.contract.ts";

type Detail = z.input<typeof billDetail>;
type LineShown = Omit<z.input<typeof billLine>, "said" | "taxWord" | "priced"> & {
  taxMode: "rate" | "reduced15" | "none";
  taxRate: string;
  explain: Record<string, unknown>;
};

/** Lines of a bill with the names people read. */
export async function linesShown(read: Read, billId: number): Promise<LineShown[]> {
  const { rows } = await sql<LineShown>`
    select l.id, l.fee_subject_id "feeSubjectId", s.name subject, s.kind "subjectKind", l.kind, r.full_name "roomName",
      l.period_start "periodStart", l.period_end "periodEnd", l.tax_mode "taxMode", l.tax_rate "taxRate", l.tax,
      l.amount, l.adjusted, l.settled, l.written_off "writtenOff", l.outstanding, l.adjusts_line_id "adjustsLineId",
      l.reason, l.created_at "createdAt", coalesce(o.real_name, '系统') operator, l.explain
    from bill_line l join fee_subject s on s.id = l.fee_subject_id left join room r on r.id = l.room_id
    left join operator o on o.id = l.created_by
    where l.bill_id = ${billId} order by l.id`.execute(read.tx);
  return rows;
}

export async function billDetailOf(read: Read, id: number): Promise<Detail> {
  const row = await bills.one(read, id);
  const [bill] = await readBills(read, [id]);
  const around = await aroundOf(read, [bill!.villageId]);
  const fee = (await lateFeesOf(read, [bill!], read.today, around)).get(id);
  const lines = await linesShown(read, id);
  const lineIds = lines.map((l) => l.id);
  const allocations = await allocationsShown(read, id);
  return {
    ...row,
    lateFee: Math.max(0, fee?.expected ?? 0),
    ...(await headOf(read, id)),
    writeOffMinDays: around.settings(bill!.villageId).writeOffMinDays,
    today: read.today,
    lines: lines.map((line) => {
      const { rows, priced = "" } = explainLine(line);
      return { ...line, priced, taxWord: taxWord(line), said: rows.map((r) => [...r]) };
    }),
    allocations,
    late: fee ?? { segments: [], days: 0, total: 0, frozen: 0, expected: 0, capped: false },
    entries: await entriesShown(read, [
      { type: "bill", ids: [id] },
      { type: "billLine", ids: lineIds },
      { type: "allocation", ids: allocations.map((a) => a.id) },
    ]),
    log: await logOf(read, "bill", id),
  };
}

async function headOf(read: Read, id: number) {
  const { rows } = await sql<
    Pick<
      Detail,
      | "partyPhone"
      | "issuedAt"
      | "graceDays"
      | "lateFeeRate"
      | "disputedFrom"
      | "disputedTo"
      | "remark"
      | "voidReason"
      | "voidedAt"
      | "createdAt"
      | "creator"
    > & { lateFeeCap: string }
  >`
    select p.phone "partyPhone", b.issued_at "issuedAt", b.grace_days "graceDays", b.late_fee_rate "lateFeeRate",
      b.late_fee_cap "lateFeeCap", b.disputed_from "disputedFrom", b.disputed_to "disputedTo", b.remark,
      b.void_reason "voidReason", b.voided_at "voidedAt", b.created_at "createdAt",
      coalesce(o.real_name, '系统') creator
    from bill b join party p on p.id = b.party_id left join operator o on o.id = b.created_by
    where b.id = ${id}`.execute(read.tx);
  const head = rows[0]!;
  return { ...head, partyPhone: maskPhone(head.partyPhone), lateFeeCap: Number(head.lateFeeCap) };
}

async function allocationsShown(read: Read, billId: number): Promise<Detail["allocations"]> {
  const { rows } = await sql<Detail["allocations"][number]>`
    select a.id, a.date, a.kind, a.flow_id "flowId", f.flow_no "flowNo", f.channel, f.paid_on "paidOn", s.name subject,
      a.amount, a.undoes_id "undoesId", coalesce((select -sum(amount) from allocation where undoes_id = a.id), 0)::bigint undone,
      coalesce(o.real_name, '系统') operator
    from allocation a join bill_line l on l.id = a.bill_line_id join fee_subject s on s.id = l.fee_subject_id
    left join flow f on f.id = a.flow_id left join operator o on o.id = a.created_by
    where a.bill_id = ${billId} order by a.id`.execute(read.tx);
  return rows;
}

/** What people did to a record, newest first. */
export async function logOf(read: Read, kind: string, recordId: number) {
  const rows = await read.tx
    .selectFrom("businessLog")
    .select(["id", "at", "operatorName", "action", "summary"])
    .where("kind", "=", kind)
    .where("recordId", "=", recordId)
    .orderBy("id", "desc")
    .limit(200)
    .execute();
  return rows.map(({ operatorName, ...row }) => ({ ...row, who: operatorName || "系统" }));
}
