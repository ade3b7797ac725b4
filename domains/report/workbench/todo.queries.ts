import { sql, type RawBuilder } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { daysWaited, rejectedOfMine, waitsForMe } from "../../approval/examine/waiting.service.ts";
import { WORKBENCH } from "../../approval/examine/engine.rules.ts";
import {
  endsSoon,
  leavesOn,
  movesInOn,
  unsettled,
  waitsForSigning,
} from "../../contract/waiting/waiting.service.ts";
import {
  dueLeads,
  lapsedReservations,
  reservationsToday,
  viewingsToday,
} from "../../customer/booking/waiting.service.ts";
import { isOverdue } from "../../finance/bill/overdue.service.ts";
import { waitsForClaim } from "../../finance/corporate/use.service.ts";
import { waitsToBePaid } from "../../finance/refund/pay.service.ts";
import type { TopRow } from "./workbench.contract.ts";
import { CONTRACT_LISTS, DIRTY_DAYS, type ContractKind, type TodoKey } from "./workbench.rules.ts";

export type Waiting = {
  count: number;
  amountFen: number | null;
  lateCount: number;
  lateDays: number | null;
  done: number | null;
  top: TopRow[];
};
/**
 * What is shown of each record, and whether it is late: the columns of `waiting`. `named`: the same of the `first` of them, where
 * their names are looked up for these alone.
 */
type Source = { rows: RawBuilder<unknown>; named?: RawBuilder<unknown>; done?: RawBuilder<unknown> };

const TOP = 5;

/** Contracts under a condition; `late` is the number of days past something, or null. */
const contracts = (
  condition: RawBuilder<unknown>,
  kind: ContractKind,
  day: string,
  late: RawBuilder<unknown> = sql`null::int`,
) => sql`
  select c.id, coalesce(nullif(c.room_names, ''), c.contract_no) title, c.party_name sub, c.${sql.ref(day)}::date "day",
    ${late} late, null::bigint fen, ${`${CONTRACT_LISTS[kind].path}?id=`}::text link
  from contract c where ${condition}`;

/** Rooms as the board shows them today; `candidates` are the ids of those that may be among them, so that few are judged. */
const rooms = (
  read: Read,
  villages: readonly number[],
  candidates: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
  late: RawBuilder<unknown>,
) => sql`
  select s.room_id id, r.full_name title, coalesce(p.name, '') sub, x.day, ${late} late,
    null::bigint fen, '/configuration/apartment?room=' link
  from room_status_at(${read.today}::date, ${read.today}::date, ${villages as number[]}::bigint[], array(${candidates})) s
  join room r on r.id = s.room_id left join party p on p.id = s.party_id
  left join turnover t on t.id = s.turnover_id
  cross join lateral (select case when s.condition = 'dirty' then t.opened_day else s.until end "day") x
  where ${condition}`;

/** Rooms whose tenant has moved in, whose contract is over and who has not left. */
const outlived = (read: Read, villages: readonly number[]) => sql`
  select o.room_id from contract c
  cross join lateral (select room_id from occupancy_row where contract_id = c.id and kind = 'lease' offset 0) o
  where c.village_id = ${anyOf(villages)} and c.end_date < ${read.today}::date and c.handover_on is not null
    and in_force(c.state)`;

const uncleaned = (villages: readonly number[]) =>
  sql`select t.room_id from turnover t where t.village_id = ${anyOf(villages)} and t.done_day is null`;

const EXAMINES = `${WORKBENCH}?tab=examine&examineId=`;

/** Approvals in the chosen villages; `late` is the number of whole days past the reminder of the node. */
const examines = (
  condition: RawBuilder<unknown>,
  villages: readonly number[],
  late: RawBuilder<unknown>,
) => sql`
  select e.id, e.title, o.real_name sub, e.submitted_at::date "day", ${late} late, e.amount fen, ${EXAMINES}::text link
  from examine e join operator o on o.id = e.submitter_id
  where e.village_id = ${anyOf(villages)} and ${condition}`;

/** Reservations under `from reservation r where …`. */
const reservations = (where: RawBuilder<unknown>, late: RawBuilder<unknown>) => sql`
  select f.id, m.full_name title, p.name sub, f."day", f.late, f.fen, f.link
  from (select r.id, r.room_id, r.party_id, r.hold_until "day", ${late} late, r.earnest fen,
      '/configuration/BookingManagement?tab=reservation&id=' link ${where}) f
  join room m on m.id = f.room_id join party p on p.id = f.party_id`;

const SOURCES: Record<TodoKey, (read: Read, villages: readonly number[]) => Source | Promise<Source>> = {
  approvals: (read, villages) => ({ rows: examines(waitsForMe(read), villages, daysWaited(read)) }),
  returned: (read, villages) => ({ rows: examines(rejectedOfMine(read), villages, sql`null::int`) }),
  overdueBills: ({ today }, villages) => ({
    rows: sql`
      select b.id, b.due_date "day", ${today}::date - b.due_date late, b.outstanding fen, b.village_id, b.party_id, b.room_id
      from bill b where ${isOverdue(villages, today)}`,
    named: sql`
      select f.*, coalesce(r.full_name, v.name) title, p.name sub, '/accountManage/BillListManage?id=' link
      from first f join village v on v.id = f.village_id join party p on p.id = f.party_id
      left join room r on r.id = f.room_id`,
  }),
  expiring: ({ today }, villages) => ({
    rows: contracts(endsSoon({ villages, kinds: ["renter"] }, today), "renter", "end_date"),
  }),
  expiringCompany: ({ today }, villages) => ({
    rows: contracts(endsSoon({ villages, kinds: ["company"] }, today), "company", "end_date"),
  }),
  expiringMerchant: ({ today }, villages) => ({
    rows: contracts(endsSoon({ villages, kinds: ["merchant"] }, today), "merchant", "end_date"),
  }),
  holdingOver: (read, villages) => ({
    rows: rooms(
      read,
      villages,
      outlived(read, villages),
      sql`s.occupancy = 'holdingOver'`,
      sql`${read.today}::date - s.until`,
    ),
  }),
  reservationsToday: async (read, villages) => ({
    rows: reservations(await reservationsToday(read, villages), sql`null::int`),
  }),
  lapsedReservations: async (read, villages) => ({
    rows: reservations(await lapsedReservations(read, villages), sql`${read.today}::date - r.hold_until`),
  }),
  viewings: async (read, villages) => ({
    rows: sql`
      select w.id, w.name title, to_char(w.at at time zone ${read.settings.TIME_ZONE}, 'HH24:MI') sub,
        (w.at at time zone ${read.settings.TIME_ZONE})::date "day", null::int late, null::bigint fen,
        '/configuration/BookingManagement?tab=viewing&view=list&id=' link ${await viewingsToday(read, villages)}`,
  }),
  leads: async (read, villages) => ({
    rows: sql`
      select l.id, l.name title, l.number sub, l.next_follow_day "day",
        nullif(${read.today}::date - l.next_follow_day, 0) late, null::bigint fen,
        '/configuration/BookingManagement?tab=mine&id=' link ${await dueLeads(read, villages)}`,
  }),
  moveIns: ({ today }, villages) => ({
    rows: contracts(movesInOn({ villages, kinds: ["renter"] }, today), "renter", "start_date"),
    done: sql`select count(*) from contract c where c.village_id = any(${villages as number[]}::bigint[])
      and c.kind = 'renter' and c.start_date = ${today}::date and c.handover_on is not null`,
  }),
  leavings: ({ today }, villages) => ({
    rows: sql`
      select a.id, coalesce(nullif(c.room_names, ''), c.contract_no) title, c.party_name sub, a.effective_on "day",
        null::int late, null::bigint fen, '/contract/SettleRoomApplicationPage?id=' link
      from contract_act a join contract c on c.id = a.contract_id where ${leavesOn(villages, today)} and ${unsettled}`,
    done: sql`select count(*) from contract_act a
      where ${leavesOn(villages, today)} and a.state in ('toPay', 'done')`,
  }),
  signing: ({ now, today }, villages) => ({
    rows: contracts(
      waitsForSigning({ villages, kinds: ["renter"] }, today),
      "renter",
      "sign_deadline",
      sql`case when c.sign_deadline < ${now.toISOString()}::timestamptz
        then greatest(1, ${today}::date - c.sign_deadline::date) end`,
    ),
  }),
  dirty: (read, villages) => ({
    rows: rooms(
      read,
      villages,
      uncleaned(villages),
      sql`s.condition = 'dirty'`,
      sql`case when t.opened_day < ${addDays(read.today, -DIRTY_DAYS)}::date then ${read.today}::date - t.opened_day end`,
    ),
  }),
  claims: ({ who }) => ({
    rows: sql`
      select l.id, s.counter_name title, a.name sub, l.day, null::int late, l.free fen, '/accountManage/CorporateFlow?id=' link
      from bank_line l join statement_line s on s.id = l.statement_line_id
      join merchant_account a on a.id = l.merchant_account_id where ${waitsForClaim(who)}`,
  }),
  refunds: (_, villages) => ({
    rows: sql`
      select r.id, coalesce(m.full_name, r.refund_no) title, p.name sub, r.created_at::date "day", null::int late,
        r.amount - r.paid fen, '/accountManage/RefundManage?id=' link
      from refund r join party p on p.id = r.party_id left join room m on m.id = r.room_id
      where ${waitsToBePaid(villages)}`,
  }),
};

/** How many of a kind wait, the sum of them, and the five that wait for longest. */
export async function waitingOf(read: Read, key: TodoKey, villages: readonly number[]): Promise<Waiting> {
  const { rows: source, named, done } = await SOURCES[key](read, villages);
  const { rows } = await sql<Omit<Waiting, "top"> & { top: TopRow[] }>`
    with waiting as materialized (${source}),
    first as (select * from waiting order by "day" nulls last, id limit ${TOP}),
    named as (${named ?? sql`select * from first`})
    select count(*) count, sum(fen)::bigint amount_fen, count(late) late_count, max(late) late_days,
      (${done ?? sql`select null::bigint`}) done,
      (select coalesce(json_agg(json_build_object('id', id, 'title', title, 'sub', sub, 'day', "day", 'late', late,
        'amountFen', fen, 'link', link || id) order by "day" nulls last, id), '[]') from named) top
    from waiting`.execute(read.replica);
  return rows[0]!;
}
