import { sql, type RawBuilder } from "kysely";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../system/template/template.rules.ts";
import { blackListed } from "../blacklist/blacklist.service.ts";
import { late } from "../push/audience-filter.queries.ts";
import { KIND_OF, missedDays, spokenOf, type ReminderEvent, type Stop } from "./reminder.rules.ts";

/** A rule as far as it says of what and of whom it speaks. */
export type Asked = {
  id: number;
  event: ReminderEvent;
  offsets: readonly number[];
  /** The last day that it has been through with: days that no server ran are made good. */
  ranOn: Day | null;
  stopOn: readonly Stop[];
  receivers: readonly string[];
};

/** One record that is on one of its days today, and whom it concerns. */
export type Fact = {
  recordId: number;
  villageId: number;
  villageName: string;
  days: number;
  /** The day of the rule that this is about: the same, unless it was missed. */
  offset: number;
  day: Day;
  number: string;
  room: string;
  amount: number;
  held: Stop | null;
  partyId: number;
  name: string;
  phone: string;
  email: string;
  black: boolean;
  endDate: Day | null;
  arrears: number | null;
  /** Ways by which this has been said already. */
  said: Channel[];
};

const spoken = (read: Read, rule: Asked) =>
  spokenOf(rule.event, rule.offsets, missedDays(rule.ranOn, read.today));
const daysOf = (read: Read, rule: Asked) =>
  sql`any(${spoken(read, rule).map(({ days }) => addDays(read.today, -days))}::date[])`;

/** Of party p, with its renter r where it is one. */
export const emailOf = sql`coalesce(r.email, (select c.email from party_contact c where c.party_id = p.id and c.main), '')`;
/** What reminder_line l speaks of is still open. */
export const IN_TIME = sql`case l.kind
  when 'bill' then exists (select from bill b where b.id = l.record_id and b.outstanding > 0)
  when 'contract' then exists (select from contract_brief c where c.id = l.record_id and c.in_force and c.leave_date is null)
  else exists (select from reservation v where v.id = l.record_id and v.state = 'held' and v.contract_id is null) end`;

function bills(read: Read, rule: Asked, villages: readonly number[]) {
  const stops = (stop: Stop) => sql.lit(rule.stopOn.includes(stop));
  return sql`
    select b.id record_id, b.village_id, b.party_id, b.due_date "day", b.bill_no number, b.outstanding amount,
      coalesce(nullif(c.room_names, ''), m.full_name, '') room,
      case when ${stops("disputed")} and b.disputed then 'disputed'
        when ${stops("promised")} and (select w.promise_day from payment_promise w where w.party_id = b.party_id
          and w.village_id = b.village_id order by w.id desc limit 1) > ${read.today}::date then 'promised' end held
    from receivable_open b left join contract_brief c on c.id = b.contract_id left join room m on m.id = b.room_id
    where b.village_id = ${anyOf(villages)} and b.due_date = ${daysOf(read, rule)}`;
}

/** Contracts that end, unless the next one is signed or the tenant has left. */
const contracts = (read: Read, rule: Asked, villages: readonly number[]) => sql`
  select c.id record_id, c.village_id, c.party_id, c.end_date "day", c.contract_no number, 0::bigint amount,
    c.room_names room, null held
  from contract_brief c where c.village_id = ${anyOf(villages)} and c.end_date = ${daysOf(read, rule)}
    and c.in_force and c.leave_date is null and not exists (select from contract_brief n
      where n.id = c.next_id and n.signed_on is not null and n.state <> 'voided')`;

const reservations = (read: Read, rule: Asked, villages: readonly number[]) => sql`
  select v.id record_id, v.village_id, v.party_id, v.hold_until "day", v.number, 0::bigint amount,
    m.full_name room, null held
  from reservation v join room m on m.id = v.room_id
  where v.village_id = ${anyOf(villages)} and v.hold_until = ${daysOf(read, rule)}
    and v.state = 'held' and v.contract_id is null`;

const SOURCES: Record<"bill" | "contract" | "reservation", typeof bills> = {
  bill: bills,
  contract: contracts,
  reservation: reservations,
};
const recordsOf = (read: Read, rule: Asked, villages: readonly number[]): RawBuilder<unknown> =>
  SOURCES[KIND_OF[rule.event]](read, rule, villages);

/** What a rule would speak of today in these stores, person by person, after the one given and for so many people. */
export async function factsOf(
  read: Read,
  rule: Asked,
  villages: readonly number[],
  { after, most }: { after: number; most: number },
): Promise<Fact[]> {
  const on = spoken(read, rule);
  const { rows } = await sql<Fact>`
    with f as materialized (${recordsOf(read, rule, villages)}),
    who as (select distinct p.id from f join party p on p.id = f.party_id
      left join renter r on r.id = p.id left join firm x on x.id = p.id
      where p.id > ${after} and p.kind = any(${rule.receivers as string[]}::text[])
        and coalesce(r.merged_into_id, x.merged_into_id) is null and r.anonymised_at is null
      order by p.id limit ${most})
    select f.record_id "recordId", f.village_id "villageId", v.name "villageName", ${read.today}::date - f."day" days, k.said_as "offset",
      f."day", f.number, f.room, f.amount, f.held, p.id "partyId", p.name, p.phone,
      ${emailOf} email, ${blackListed} black,
      (select c.end_date from contract_brief c where c.party_id = p.id and c.village_id = f.village_id and c.in_force
        order by c.start_date desc, c.id desc limit 1) "endDate",
      (select sum(b.outstanding)::bigint from bill b where ${late(villages, read.today)}) arrears,
      array(select l.channel from reminder_line l where l.rule_id = ${rule.id} and l.kind = ${KIND_OF[rule.event]}
        and l.record_id = f.record_id and l.days = k.said_as and l.party_id = p.id) said
    from f join unnest(${on.map((k) => k.days)}::int[], ${on.map((k) => k.offset)}::int[]) k(days, said_as)
      on k.days = ${read.today}::date - f."day"
    join who w on w.id = f.party_id join party p on p.id = f.party_id join village v on v.id = f.village_id
    left join renter r on r.id = p.id
    order by p.id, f."day", f.record_id`.execute(read.tx);
  return rows;
}

export type AtStore = {
  villageId: number;
  villageName: string;
  records: number;
  amount: number;
  names: string;
};

/** The same by store, for those who work there. */
export async function byStore(read: Read, rule: Asked, villages: readonly number[]): Promise<AtStore[]> {
  const { rows } = await sql<AtStore>`
    with f as materialized (${recordsOf(read, rule, villages)})
    select v.id "villageId", v.name "villageName", count(*)::int records, sum(f.amount)::bigint amount,
      array_to_string((array_agg(p.name || ' ' || f.number order by f."day", f.record_id))[1:5], '、') names
    from f join village v on v.id = f.village_id join party p on p.id = f.party_id
    where f.held is null group by v.id order by v.id`.execute(read.tx);
  return rows;
}
