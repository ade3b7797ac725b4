import { named } from "../../../platform/server/lists/conditions.ts";
import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { dunnedUntil } from "../../finance/checkout/remind.service.ts";
import { AGES, type Age, type Mode, dueOf } from "./owing.rules.ts";

export type OwingFilter = {
  villages: readonly number[];
  day: Day;
  /** Whether something was booked after the day (`bookedAfter`); if not, what stands now stood then. */
  later: boolean;
  mode: Mode;
  /** Rows that somebody ticked, of an export. */
  picked?: number[] | undefined;
  partyId?: number | undefined;
  roomId?: number | undefined;
  subjectIds?: readonly number[] | undefined;
  ages?: readonly string[] | undefined;
  partyKind?: string | undefined;
  contractState?: "living" | "left" | undefined;
  disputed: "true" | "false";
  keyword?: string | undefined;
  amountFrom?: number | undefined;
  amountTo?: number | undefined;
};

/** Sums of `w.outstanding` by age of `w.days`. */
export const BUCKETS = sql.join(
  AGES.map(
    (a) =>
      sql`coalesce(sum(w.outstanding) filter (where w.days between ${sql.lit(a.from)} and ${sql.lit(a.to)}), 0)::bigint ${sql.ref(a.key)}`,
  ),
);

/** The condition alone, or none. */
export const when = (wanted: unknown, condition: () => RawBuilder<unknown>) => (wanted ? condition() : sql``);

/** Whether the books know of anything after a day: in the past, or where a locked month moved today's entries into the next. */
export async function bookedAfter(read: Read, villages: readonly number[], day: Day): Promise<boolean> {
  const { rows } = await sql`
    select from unnest(${villages as number[]}::bigint[]) v (id)
    where exists (select from journal_day d where d.village_id = v.id and d.day > ${day}::date) limit 1`.execute(
    read.replica,
  );
  return rows.length > 0;
}

const lateBills = ({ later, day, villages }: OwingFilter) =>
  later
    ? sql`owing_at(${day}, ${villages as number[]}::bigint[])`
    : sql`(select id bill_id, village_id, contract_id, room_id, party_id, due_date, outstanding from receivable_open
        where village_id = ${anyOf(villages)} and due_date < ${day}::date)`;

/** The bills that owe at the day, with their days late, under every filter but subject and amount. */
function owedBills(f: OwingFilter): RawBuilder<unknown> {
  const keyword = f.keyword ?? "";
  const ages = f.ages?.map((age) => {
    const { from, to } = dueOf(age as Age, f.day);
    return sql`o.due_date between ${from ?? "-infinity"}::date and ${to}::date`;
  });
  return sql`
    select o.*, ${f.day}::date - o.due_date days
    from ${lateBills(f)} o
    where true
      ${when(ages?.length, () => sql`and (${sql.join(ages!, sql` or `)})`)}
      ${when(f.partyId, () => sql`and o.party_id = ${f.partyId}`)}
      ${when(f.roomId !== undefined, () => sql`and coalesce(o.room_id, 0) = ${f.roomId}`)}
      ${when(
        f.disputed === "false",
        () => sql`and not exists (select from bill_dispute d where d.bill_id = o.bill_id
          and d.from_day <= ${f.day}::date and coalesce(d.to_day, 'infinity') >= ${f.day}::date)`,
      )}
      ${when(f.partyKind, () => sql`and exists (select from party p where p.id = o.party_id and p.kind = ${f.partyKind})`)}
      ${when(
        f.contractState,
        () =>
          sql`and exists (select from contract c where c.id = o.contract_id and in_force(c.state) = ${f.contractState === "living"})`,
      )}
      ${when(
        keyword,
        () => sql`and (o.party_id in (select id from party where ${named("name")(keyword)}
              or phone = ${f.keyword} or right(phone, 4) = ${f.keyword})
          or o.room_id in (select id from room where ${named("full_name")(keyword)})
          or o.contract_id in (select id from contract where contract_no like ${beginning(keyword)}))`,
      )}`;
}

/** The same cut into fee subjects: what is open on each bill's lines, less what was booked on them after the day. */
const bySubject = (f: OwingFilter) => sql`
  parts as (
    select bill_id, fee_subject_id, sum(fen)::bigint fen from (
      select l.bill_id, l.fee_subject_id, l.outstanding fen from bill_line l
      join bill b on b.id = l.bill_id and b.voided_at is null
      where l.bill_id in (select bill_id from owed)
      ${when(
        f.later,
        () => sql`union all
          select j.bill_id, j.fee_subject_id, j.credit - j.debit from journal_line j
          where j.account = '1122' and j.village_id = ${anyOf(f.villages)} and j.date > ${f.day}::date
            and j.bill_id in (select bill_id from owed)`,
      )}) x
    group by 1, 2 having sum(fen) <> 0
  ), w as (
    select o.bill_id, o.village_id, o.contract_id, o.room_id, o.party_id, o.due_date, o.days,
      p.fee_subject_id subject_id, p.fen outstanding
    from owed o join parts p on p.bill_id = o.bill_id
    ${when(f.subjectIds?.length, () => sql`where p.fee_subject_id = ${anyOf(f.subjectIds!)}`)}
  )`;

export const cutBySubject = (f: OwingFilter): boolean => f.mode === "subject" || !!f.subjectIds?.length;

/**
 * `with` clause that ends in `w`: one row for each bill, or each bill and subject where subjects matter. What stands now
 * is found twice quicker, for all and for the debtors of a page, than kept in between.
 */
export const owedRows = (f: OwingFilter): RawBuilder<unknown> =>
  cutBySubject(f)
    ? sql`owed as (${owedBills(f)}), ${bySubject(f)}`
    : sql`w as ${f.later ? sql`` : sql`not materialized`} (${owedBills(f)})`;

/** What a row of each mode is counted by. */
export const KEYS: Record<Mode, RawBuilder<unknown>> = {
  party: sql`w.party_id`,
  room: sql`coalesce(w.room_id, 0)`,
  bill: sql`w.bill_id`,
  subject: sql`w.subject_id`,
  village: sql`w.village_id`,
};

/** The words of a row: what stands in it depends on what it stands for. */
export type Names = {
  partyId: number | null;
  partyName: string | null;
  phone: string | null;
  roomId: number | null;
  rooms: string | null;
  villageId: number | null;
  villageName: string | null;
  billNo: string | null;
  subjectName: string | null;
  dueDate: Day | null;
  contractState: "living" | "left" | null;
  remindedOn: Day | null;
  promiseDay: Day | null;
  note: string | null;
};
export const NAMELESS: Names = {
  partyId: null,
  partyName: null,
  phone: null,
  roomId: null,
  rooms: null,
  villageId: null,
  villageName: null,
  billNo: null,
  subjectName: null,
  dueDate: null,
  contractState: null,
  remindedOn: null,
  promiseDay: null,
  note: null,
};

/** The last thing talked about with a debtor, in the villages asked for. */
const promise = (villages: readonly number[]) => sql`
  left join lateral (select promise_day, note from owing_follow w
    where w.party_id = p.id and w.village_id = ${anyOf(villages)} order by w.id desc limit 1) w on true`;

/** When a debtor was last reminded about the villages asked for, by hand or by a rule for what is overdue. */
const reminded = (villages: readonly number[], day: Day) => sql`
  left join lateral (select max(x.day) reminded_on from (
    select ${dunnedUntil("s.village_id", "p.id", day)} "day"
    from (select distinct village_id from bill where party_id = p.id and village_id = ${anyOf(villages)}) s
    union all
    select r.made_at::date from push_recipient r join reminder_rule u on u.id = r.rule_id and u.event = 'overdue'
    where r.party_id = p.id and r.village_id = ${anyOf(villages)} and r.state <> 'skipped' and r.made_at::date <= ${day}::date) x) m on true`;

type Reads = (ids: readonly number[], villages: readonly number[], day: Day) => RawBuilder<unknown>;
const READS: Record<Mode, Reads> = {
  party: (ids, villages, day) => sql`
    select p.id, p.id party_id, p.name party_name, p.phone, m.reminded_on, w.promise_day, w.note, c.rooms,
      case when c.living then 'living' when c.party_id is not null then 'left' end contract_state
    from party p ${promise(villages)} ${reminded(villages, day)}
    left join lateral (
      select c.party_id, bool_or(in_force(c.state)) living,
        string_agg(distinct nullif(c.room_names, ''), '、') filter (where in_force(c.state)) rooms
      from contract c where c.party_id = p.id and c.village_id = ${anyOf(villages)}
        and c.state not in ('draft', 'approving', 'voided') group by 1) c on true
    where p.id = ${anyOf(ids)}`,
  room: (ids) => sql`
    select r.id, r.id room_id, r.full_name rooms, v.id village_id, v.name village_name
    from room r join village v on v.id = r.village_id where r.id = ${anyOf(ids)}`,
  bill: (ids, villages, day) => sql`
    select b.id, b.bill_no, b.due_date, p.id party_id, p.name party_name, p.phone, r.id room_id, r.full_name rooms,
      v.id village_id, v.name village_name, m.reminded_on, w.promise_day, w.note,
      case when in_force(c.state) then 'living' when c.id is not null then 'left' end contract_state
    from bill b join party p on p.id = b.party_id join village v on v.id = b.village_id ${promise(villages)} ${reminded(villages, day)}
    left join room r on r.id = b.room_id left join contract c on c.id = b.contract_id where b.id = ${anyOf(ids)}`,
  subject: (ids) => sql`select id, name subject_name from fee_subject where id = ${anyOf(ids)}`,
  village: (ids) => sql`select id, id village_id, name village_name from village where id = ${anyOf(ids)}`,
};

/** Names and standing of the rows of one page, read for these alone. */
export async function namesOf(
  read: Read,
  f: OwingFilter,
  ids: readonly number[],
): Promise<Map<number, Names>> {
  const { rows } = await sql<
    Partial<Names> & { id: number }
  >`${READS[f.mode](ids, f.villages, f.day)}`.execute(read.replica);
  return new Map(
    rows.map(({ id, ...names }) => [
      id,
      { ...NAMELESS, ...names, phone: names.phone ? maskPhone(names.phone) : null },
    ]),
  );
}
