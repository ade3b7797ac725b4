import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import {
  balanced,
  debit,
  EVENTS,
  lockKey,
  mirrored,
  postingDay,
  type Entry,
  type EventCode,
  type Leg,
  type Locks,
} from "./journal.rules.ts";

/**
 * Writes entries to the journal; nothing else does. Any number of entries costs the same few statements.
 * An entry of head office alone names a receiving account on some leg: by that one knows whose books it is in.
 * Adds the 内部往来 legs, moves the posting day out of locked months, numbers the entries. Answers their ids in order;
 * an entry without any amount is not written and answers null.
 */
export async function post(act: Act, entries: readonly Entry[]): Promise<(number | null)[]> {
  const full = entries.map((entry) => ({ ...entry, legs: balanced(entry.legs) }));
  const written = full.filter((entry) => entry.legs.length);
  if (!written.length) return full.map(() => null);
  const locks = await locksOf(act, written);
  const numbers = await act.numbers("PZ", written.length);
  const ids = await nextIds(act, "journal_entry", written.length);
  const heads = written.map((entry, i) => ({
    id: ids[i]!,
    entryNo: numbers[i]!,
    event: entry.event,
    side: EVENTS[entry.event].side,
    date: postingDay(entry, locks),
    businessDate: entry.businessDate,
    sourceType: entry.sourceType,
    sourceId: entry.sourceId,
    seq: entry.seq ?? 0,
    reversesId: entry.reversesId ?? null,
    memo: entry.memo ?? "",
  }));
  const at = act.now.toISOString();
  const by = act.who.operatorId || null;
  await sql`
    insert into journal_entry (id, entry_no, event, side, date, business_date, source_type, source_id, seq,
      reverses_id, memo, posted_at, posted_by)
    select r.id, r."entryNo", r.event, r.side, r.date, r."businessDate", r."sourceType", r."sourceId", r.seq,
      r."reversesId", r.memo, ${at}, ${by}
    from json_to_recordset(${JSON.stringify(heads)}::json) r(id bigint, "entryNo" text, event text, side text,
      date date, "businessDate" date, "sourceType" text, "sourceId" bigint, seq int, "reversesId" bigint, memo text)
  `.execute(act.tx);
  const lines = written.flatMap((entry, i) =>
    entry.legs.map(({ amount, ...leg }, seq) => ({
      ...leg,
      entryId: ids[i]!,
      seq,
      date: heads[i]!.date,
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
    })),
  );
  await sql`
    insert into journal_line (entry_id, seq, date, village_id, account, debit, credit, fee_subject_id,
      merchant_account_id, party_id, contract_id, bill_id, bill_line_id, flow_id)
    select r."entryId", r.seq, r.date, r."villageId", r.account, r.debit, r.credit, r."feeSubjectId",
      r."merchantAccountId", r."partyId", r."contractId", r."billId", r."billLineId", r."flowId"
    from json_to_recordset(${JSON.stringify(lines)}::json) r("entryId" bigint, seq int, date date,
      "villageId" bigint, account text, debit bigint, credit bigint, "feeSubjectId" bigint,
      "merchantAccountId" bigint, "partyId" bigint, "contractId" bigint, "billId" bigint, "billLineId" bigint,
      "flowId" bigint)
  `.execute(act.tx);
  let next = 0;
  return full.map((entry) => (entry.legs.length ? ids[next++]! : null));
}

export type Posted = Entry & { id: number };

/** Entries as they were posted, without the legs between villages (posting adds those anew). */
export async function entriesOf(
  read: Read,
  of: { sourceType: string; sourceIds: readonly number[]; events?: readonly EventCode[] },
): Promise<Posted[]> {
  const { rows } = await sql<Posted & { legs: (Leg & { debit: number; credit: number })[] }>`
    select e.id, e.event, e.source_type "sourceType", e.source_id "sourceId", e.seq, e.business_date "businessDate",
      json_agg(json_build_object('villageId', l.village_id, 'account', l.account, 'amount', l.debit - l.credit,
        'feeSubjectId', l.fee_subject_id, 'merchantAccountId', l.merchant_account_id, 'partyId', l.party_id,
        'contractId', l.contract_id, 'billId', l.bill_id, 'billLineId', l.bill_line_id, 'flowId', l.flow_id)
        order by l.seq) legs
    from journal_entry e join journal_line l on l.entry_id = e.id and l.account <> '2299'
    where e.source_type = ${of.sourceType} and e.source_id = any(${of.sourceIds as number[]}::bigint[])
      and (${of.events ? [...of.events] : null}::text[] is null or e.event = any(${of.events ? [...of.events] : null}::text[]))
    group by e.id order by e.id`.execute(read.tx);
  return rows;
}

/** The mirror of posted entries under another event and source: same legs, other way round. */
export const mirrorOf = (
  posted: Posted,
  as: Pick<Entry, "event" | "sourceType" | "sourceId" | "businessDate"> & { seq?: number; memo?: string },
): Entry => ({ ...as, reversesId: posted.id, legs: mirrored(posted.legs) });

/** The day on which an event of some villages is booked: the business's own, or the first open one. */
export async function bookingDay(
  read: Read,
  of: { event: EventCode; businessDate: Day; villageIds: readonly (number | null)[] },
): Promise<Day> {
  const legs = of.villageIds.map((villageId) => debit("", villageId, 0));
  return postingDay({ ...of, legs }, await locksOf(read, [{ legs }]));
}

async function locksOf(read: Read, entries: readonly Pick<Entry, "legs">[]): Promise<Locks> {
  const villages = [...new Set(entries.flatMap((e) => e.legs.map((l) => l.villageId)))].filter(
    (v) => v !== null,
  );
  const { rows } = await sql<{ villageId: number; side: "income" | "cost"; month: string }>`
    select village_id "villageId", side, max(month) "month" from period_lock
    where village_id = any(${villages}::bigint[]) group by 1, 2`.execute(read.tx);
  return new Map(rows.map((row) => [lockKey(row.villageId, row.side), row.month]));
}
