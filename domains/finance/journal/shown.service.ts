import { type RawBuilder, sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { EntryShown } from "./entry.contract.ts";
import { EVENTS, type EventCode } from "./journal.rules.ts";

/** The entries of some records with the names people read, in the order they were posted. */
export async function entriesShown(
  read: Read,
  sources: readonly { type: string; ids: readonly number[] }[],
): Promise<EntryShown[]> {
  const of = sources.filter((s) => s.ids.length);
  if (!of.length) return [];
  return shownWhere(
    read,
    sql.join(
      of.map((s) => sql`(e.source_type = ${s.type} and e.source_id = any(${s.ids as number[]}::bigint[]))`),
      sql` or `,
    ),
  );
}

/** Entries by their ids, the same. */
export const entriesById = (read: Read, ids: readonly number[]): Promise<EntryShown[]> =>
  shownWhere(read, sql`e.id = any(${ids as number[]}::bigint[])`);

async function shownWhere(read: Read, where: RawBuilder<unknown>): Promise<EntryShown[]> {
  const { rows } = await sql<Omit<EntryShown, "eventName" | "event"> & { event: EventCode }>`
    select e.id, e.entry_no "entryNo", e.event, e.date, e.business_date "businessDate",
      json_agg(json_build_object('villageName', coalesce(v.name, '公司本部'), 'account', l.account,
        'accountName', a.name, 'subject', s.name, 'debit', l.debit, 'credit', l.credit) order by l.seq) lines
    from journal_entry e join journal_line l on l.entry_id = e.id join account a on a.code = l.account
    left join village v on v.id = l.village_id left join fee_subject s on s.id = l.fee_subject_id
    where ${where} group by e.id order by e.id`.execute(read.tx);
  return rows.map((row) => ({ ...row, eventName: EVENTS[row.event]?.name ?? row.event }));
}
