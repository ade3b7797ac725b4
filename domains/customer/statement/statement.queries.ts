import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { standing } from "../firm/firm-detail.queries.ts";
import { seenFirm, wholeFirm } from "../firm/firm.queries.ts";
import type { Line } from "./paper.rules.ts";

export type Period = { from: Day; to: Day; villageIds?: readonly number[] | undefined };
const FIGURES = ["opening", "billed", "collected", "credited", "closing"] as const;
export type Sums = Record<(typeof FIGURES)[number], number>;

/**
 * What a company owed, was billed, paid and was let off, by room and fee. Every movement counts on its own day, but
 * none before its bill is due: money that came ahead counts when the bill falls due. So what stands at the end is what
 * was open then of all that was due.
 */
export async function statementOf(read: Read, asked: number, { from, to, villageIds }: Period) {
  const id = await standing(read, asked);
  const firm = await seenFirm(read, "company", id);
  const villages = villagesOf(read.who, villageIds);
  const any = sql`any(${await wholeFirm(read, id)}::bigint[])`;
  const zone = read.settings.TIME_ZONE;
  const { rows } = await sql<Line>`
    with mine as (
      select b.id, b.due_date, b.room_id, b.village_id from bill b
      where b.party_id = ${any} and b.village_id = ${anyOf(villages)} and b.direction = 'receivable'
        and b.voided_at is null and b.issued_at is not null and b.due_date <= ${to}::date),
    moves as (
      select b.village_id, coalesce(l.room_id, b.room_id) room_id, l.fee_subject_id,
        case when l.kind = 'normal' then b.due_date
          else greatest(b.due_date, (l.created_at at time zone ${zone})::date) end as day,
        case when l.kind in ('normal', 'lateFee') then l.amount else 0 end billed, 0::bigint collected,
        case when l.kind in ('adjust', 'trim') then -l.amount else 0 end credited
      from mine b join bill_line l on l.bill_id = b.id
      union all
      select b.village_id, coalesce(l.room_id, b.room_id), l.fee_subject_id, greatest(b.due_date, a.date), 0,
        case when a.kind = 'writeOff' then 0 else a.amount end, case when a.kind = 'writeOff' then a.amount else 0 end
      from mine b join allocation a on a.bill_id = b.id join bill_line l on l.id = a.bill_line_id)
    select v.name "villageName", coalesce(r.full_name, '') "roomName", s.name subject,
      coalesce(sum(billed - collected - credited) filter (where day < ${from}::date), 0)::bigint opening,
      coalesce(sum(billed) filter (where day >= ${from}::date), 0)::bigint billed,
      coalesce(sum(collected) filter (where day >= ${from}::date), 0)::bigint collected,
      coalesce(sum(credited) filter (where day >= ${from}::date), 0)::bigint credited,
      sum(billed - collected - credited)::bigint closing
    from moves m join village v on v.id = m.village_id join fee_subject s on s.id = m.fee_subject_id
    left join room r on r.id = m.room_id
    where day <= ${to}::date
    group by v.id, v.name, r.id, r.full_name, s.id, s.name, s.priority
    having sum(abs(billed) + abs(collected) + abs(credited)) filter (where day >= ${from}::date) > 0
      or sum(billed - collected - credited) <> 0
    order by v.name, r.full_name nulls last, s.priority, s.id`.execute(read.tx);
  const sums = Object.fromEntries(
    FIGURES.map((key) => [key, rows.reduce((sum, row) => sum + row[key], 0)]),
  ) as Sums;
  return { firm, villages, rows, sums };
}

/** Stamped copies over villages that the operator may all see. */
export async function copiesOf(read: Read, asked: number) {
  const id = await standing(read, asked);
  await seenFirm(read, "company", id);
  const rows = await read.tx
    .selectFrom("statementCopy as c")
    .innerJoin("operator as o", "o.id", "c.createdBy")
    .select([
      "c.id",
      "c.fromDay",
      "c.toDay",
      "c.closing",
      "c.fileId",
      "c.createdAt",
      "o.realName as createdName",
    ])
    .where("c.partyId", "in", await wholeFirm(read, id))
    .where(sql<boolean>`c.village_ids <@ ${read.who.villages as number[]}::bigint[]`)
    .orderBy("c.toDay", "desc")
    .orderBy("c.id", "desc")
    .execute();
  return rows;
}

type Contact = { name: string; email: string };

/** The contacts of a company that get its bills, those without an address among them. */
export async function billContacts(read: Read, asked: number): Promise<Contact[]> {
  const firm = await seenFirm(read, "company", await standing(read, asked));
  return read.tx
    .selectFrom("partyContact")
    .select(["name", "email"])
    .where("partyId", "=", firm.id)
    .where("getsBills", "=", true)
    .orderBy("main", "desc")
    .orderBy("id")
    .execute();
}

/** Two contacts behind one address get one e-mail. */
export const byAddress = (contacts: readonly Contact[]) =>
  [
    ...new Map(
      contacts
        .filter((c) => c.email)
        .toReversed()
        .map((c) => [c.email.toLowerCase(), c]),
    ),
  ].toReversed();
