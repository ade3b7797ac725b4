import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { atEnd, doneFirst, firstIn, onceIn } from "../../../platform/server/database/once.ts";
import { lookedUp } from "../../../platform/server/database/prepared.ts";
import { POSTINGS } from "../account/account.service.ts";
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

let postings = 0;

/**
 * Writes entries to the journal (`postNow`): at the end of an act of many steps, all that its steps post in one go. What reads
 * entries in between has them written first.
 */
export const post = (act: Act, entries: readonly Entry[]): Promise<void> =>
  atEnd(
    act,
    POSTINGS,
    entries,
    () => ++postings,
    async (all) => void (await postNow(act, all)),
  );

/** Writes what the steps of an act have posted so far, for who reads the journal within it. */
export const postedFirst = (act: Pick<Read, "tx">): Promise<void> => doneFirst(act, POSTINGS);

/**
 * Writes entries to the journal at once; nothing else does. Any number of entries costs the same few statements.
 * An entry of head office alone names a receiving account on some leg: by that one knows whose books it is in.
 * Adds the 内部往来 legs, moves the posting day out of locked months, numbers the entries. Answers their ids in order;
 * an entry without any amount is not written and answers null.
 */
export async function postNow(act: Act, entries: readonly Entry[]): Promise<(number | null)[]> {
  const full = entries.map((entry) => ({ ...entry, legs: balanced(entry.legs) }));
  const written = full.filter((entry) => entry.legs.length);
  if (!written.length) return full.map(() => null);
  const owners = await ownersOf(act, written);
  const [villages, offices] = [villagesIn(written), [...new Set(owners.values())]];
  await holdBooks(act, villages, offices);
  // nobody can lock one that is held
  const locked = await onceIn(act, `locked months ${villages.join()} of ${offices.join()}`, () =>
    lockedMonths(act, villages, offices),
  );
  const locks = locksOf(locked, owners);
  const numbers = await act.numbers("PZ", written.length);
  const heads = written.map((entry, i) => ({
    entryNo: numbers[i]!,
    event: entry.event,
    side: EVENTS[entry.event].side,
    date: postingDay(entry, locks(entry)),
    businessDate: entry.businessDate,
    sourceType: entry.sourceType,
    sourceId: entry.sourceId,
    seq: entry.seq ?? 0,
    reversesId: entry.reversesId ?? null,
    memo: entry.memo ?? "",
  }));
  const at = act.now.toISOString();
  const by = act.who.operatorId || null;
  const lines = written.flatMap((entry, i) =>
    entry.legs.map(({ amount, ...leg }, seq) => ({
      ...leg,
      entryNo: numbers[i]!,
      seq,
      date: heads[i]!.date,
      debit: Math.max(amount, 0),
      credit: Math.max(-amount, 0),
    })),
  );
  const { rows } = await sql<{ id: number; entryNo: string }>`
    with made as (
      insert into journal_entry (entry_no, event, side, date, business_date, source_type, source_id, seq,
        reverses_id, memo, posted_at, posted_by)
      select r."entryNo", r.event, r.side, r.date, r."businessDate", r."sourceType", r."sourceId", r.seq,
        r."reversesId", r.memo, ${at}, ${by}
      from json_to_recordset(${JSON.stringify(heads)}::json) r("entryNo" text, event text, side text,
        date date, "businessDate" date, "sourceType" text, "sourceId" bigint, seq int, "reversesId" bigint, memo text)
      returning id, entry_no
    ), lines as (
      insert into journal_line (entry_id, seq, date, village_id, account, debit, credit, fee_subject_id,
        merchant_account_id, party_id, contract_id, bill_id, bill_line_id, flow_id)
      select m.id, r.seq, r.date, r."villageId", r.account, r.debit, r.credit, r."feeSubjectId",
        r."merchantAccountId", r."partyId", r."contractId", r."billId", r."billLineId", r."flowId"
      from json_to_recordset(${JSON.stringify(lines)}::json) r("entryNo" text, seq int, date date,
        "villageId" bigint, account text, debit bigint, credit bigint, "feeSubjectId" bigint,
        "merchantAccountId" bigint, "partyId" bigint, "contractId" bigint, "billId" bigint, "billLineId" bigint,
        "flowId" bigint) join made m on m.entry_no = r."entryNo"
      order by m.id, r.seq
    )
    select id, entry_no from made`.execute(act.tx);
  const idOf = new Map(rows.map((row) => [row.entryNo, row.id]));
  const ids = numbers.map((no) => idOf.get(no)!);
  let next = 0;
  return full.map((entry) => (entry.legs.length ? ids[next++]! : null));
}

export type Posted = Entry & { id: number };

/** Entries as they were posted, without the legs between villages (posting adds those anew). */
export async function entriesOf(
  read: Read,
  of: { sourceType: string; sourceIds: readonly number[]; events?: readonly EventCode[] },
): Promise<Posted[]> {
  await postedFirst(read);
  const { rows } = await sql<Posted & { legs: (Leg & { debit: number; credit: number })[] }>`
    select e.id, e.event, e.source_type "sourceType", e.source_id "sourceId", e.seq, e.business_date "businessDate",
      json_agg(json_build_object('villageId', l.village_id, 'account', l.account, 'amount', l.debit - l.credit,
        'feeSubjectId', l.fee_subject_id, 'merchantAccountId', l.merchant_account_id, 'partyId', l.party_id,
        'contractId', l.contract_id, 'billId', l.bill_id, 'billLineId', l.bill_line_id, 'flowId', l.flow_id)
        order by l.seq) legs
    from journal_entry e join journal_line l on l.entry_id = e.id and l.account <> '2299'
    where e.source_type = ${of.sourceType} and e.source_id = ${lookedUp(of.sourceIds)}
      and (${of.events ? [...of.events] : null}::text[] is null or e.event = any(${of.events ? [...of.events] : null}::text[]))
    group by e.id order by e.id`.execute(read.tx);
  return rows;
}

/** The mirror of posted entries under another event and source: same legs, other way round. */
export const mirrorOf = (
  posted: Posted,
  as: Pick<Entry, "event" | "sourceType" | "sourceId" | "businessDate"> & { seq?: number; memo?: string },
): Entry => ({ ...as, reversesId: posted.id, legs: mirrored(posted.legs) });

/** So much of an entry each leg of which is its whole amount: what one payment of one line posted. */
export const partOf = (posted: Posted, amount: Fen): Posted => ({
  ...posted,
  legs: posted.legs.map((leg) => ({ ...leg, amount: Math.sign(leg.amount) * amount })),
});

/** The day on which an event of some villages is booked: the business's own, or the first open one. */
export async function bookingDay(
  read: Read,
  of: { event: EventCode; businessDate: Day; villageIds: readonly (number | null)[] },
): Promise<Day> {
  const booked = { ...of, legs: of.villageIds.map((villageId) => debit("", villageId, 0)) };
  const owners = await ownersOf(read, [booked], read.who.enterpriseId);
  const locked = await lockedMonths(read, villagesIn([booked]), [...owners.values()]);
  return postingDay(booked, locksOf(locked, owners)(booked));
}

type Owners = Map<Pick<Entry, "legs">, number>;
const villagesIn = (entries: readonly Pick<Entry, "legs">[]): number[] =>
  [...new Set(entries.flatMap((e) => e.legs.map((l) => l.villageId)))].filter((v) => v !== null);

/** Whose head office stands in an entry: that of its villages, or of its receiving accounts. */
async function ownersOf(
  read: Pick<Read, "tx">,
  entries: readonly Pick<Entry, "legs">[],
  otherwise?: number,
): Promise<Owners> {
  const office = entries.filter((e) => e.legs.some((l) => l.villageId === null));
  if (!office.length) return new Map();
  const accounts = office.flatMap((e) => e.legs.map((l) => l.merchantAccountId ?? 0));
  const { rows } = await sql<{ kind: string; id: number; owner: number }>`
    select 'v' kind, id, enterprise_id owner from village where id = any(${villagesIn(office)}::bigint[])
    union all
    select 'm', id, enterprise_id from merchant_account where id = any(${accounts}::bigint[])`.execute(
    read.tx,
  );
  const owner = new Map(rows.map((row) => [`${row.kind} ${row.id}`, row.owner]));
  const found = (leg: Leg) => owner.get(`v ${leg.villageId}`) ?? owner.get(`m ${leg.merchantAccountId}`);
  return new Map(
    office.flatMap((e) => {
      const id = e.legs.map(found).find((each) => each !== undefined) ?? otherwise;
      return id === undefined ? [] : [[e, id] as const];
    }),
  );
}

/**
 * Keeps the months of some stores and head offices open until the transaction ends: who locks one waits for it (`closeBooks`).
 * Many may hold them at once.
 */
export const holdBooks = async (
  act: Pick<Act, "tx">,
  villageIds: readonly number[],
  offices: readonly number[] = [],
): Promise<void> => {
  const keys = firstIn(act, "held", keysOf(villageIds, offices));
  if (keys.length)
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(key, 0))
      from unnest(${keys}::text[]) key`.execute(act.tx);
};

/** Takes the books of one store, or of an enterprise's head office, alone; answers whether nobody posts there just now. */
export async function closeBooks(
  act: Pick<Act, "tx">,
  { villageId, enterpriseId }: { villageId: number | null; enterpriseId: number },
): Promise<boolean> {
  const [key] = villageId === null ? keysOf([], [enterpriseId]) : keysOf([villageId], []);
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) mine`.execute(act.tx);
  return rows[0]!.mine;
}

const keysOf = (villageIds: readonly number[], offices: readonly number[]): string[] =>
  [...villageIds.map((id) => `books ${id}`), ...offices.map((id) => `books of ${id}`)].toSorted();

type Locked = {
  villageId: number | null;
  enterpriseId: number | null;
  side: "income" | "cost";
  month: string;
};

/** The last locked month of each side of some stores and head offices. */
const lockedMonths = async (
  read: Pick<Read, "tx">,
  villageIds: readonly number[],
  offices: readonly number[],
): Promise<Locked[]> =>
  (
    await sql<Locked>`
      select village_id "villageId", enterprise_id "enterpriseId", side, max(month) "month" from period_lock
      where village_id = any(${villageIds as number[]}::bigint[]) or enterprise_id = any(${offices as number[]}::bigint[])
      group by 1, 2, 3`.execute(read.tx)
  ).rows;

const locksOf =
  (locked: readonly Locked[], owners: Owners) =>
  (entry: Pick<Entry, "legs">): Locks =>
    new Map(
      locked
        .filter((row) => row.villageId !== null || row.enterpriseId === owners.get(entry))
        .map((row) => [lockKey(row.villageId, row.side), row.month]),
    );
