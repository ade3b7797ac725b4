import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** Bills by the beginning of their number, with or without ZD, or those still open of the parties given. */
export async function findBills(read: Read, typed: string, parties: readonly number[], most: number) {
  const [, digits] = /^(?:zd)?(\d{4}[\d-]*)$/i.exec(typed) ?? [];
  const found = [
    sql`b.party_id = ${anyOf(parties)} and b.outstanding > 0 and b.issued_at is not null and b.voided_at is null`,
  ];
  if (digits) found.push(sql`b.bill_no like ${`ZD${digits}%`}`);
  const { rows } = await sql<{
    id: number;
    billNo: string;
    payer: string;
    title: string;
    outstanding: number;
  }>`
    select b.id, b.bill_no "billNo", p.name payer, b.title, coalesce(b.outstanding, 0) outstanding
    from bill b join party p on p.id = b.party_id
    where b.village_id = ${anyOf(read.who.villages)} and (${sql.join(found, sql` or `)})
    order by b.outstanding > 0 desc, b.due_date, b.id limit ${most}`.execute(read.tx);
  return rows.map((b) => ({
    id: b.id,
    title: b.billNo,
    note: `${b.payer} · ${b.title}${b.outstanding > 0 ? ` · 未收 ${yuan(b.outstanding)}` : ""}`,
  }));
}
