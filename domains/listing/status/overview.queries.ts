import { sql } from "kysely";
import type { z } from "zod";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { markedCache } from "../../../platform/server/database/cache.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { BLOCK_REASONS, wordOf } from "../room/words.rules.ts";
import type { KINDS_OF_DAY, roomTimeline } from "./overview.contract.ts";
import { vacancyRate } from "./status.rules.ts";

const COUNTS = [
  "vacant",
  "reserved",
  "toMoveIn",
  "occupied",
  "expiring",
  "holdingOver",
  "leaving",
  "rentable",
  "dirty",
  "maintenance",
  "offline",
  "selfUse",
  "inStock",
  "base",
  "let",
  "arrearsRooms",
  "arrearsFen",
  "letRentFen",
  "listRentFen",
] as const;
/** The figures of one village on one day, as the roll-up keeps them. */
export type VillageCounts = { villageId: number } & Record<(typeof COUNTS)[number], number>;

/** Columns of village_day after village and day, in its order. */
const COLUMNS = sql`vacant, reserved, to_move_in, occupied, expiring, holding_over, leaving, rentable, dirty, maintenance,
  offline, self_use, in_stock, base, let, arrears_rooms, arrears_fen, let_rent_fen, list_rent_fen`;

/** Counted anew from the timeline, for villages that have rooms on the day. */
const counted = (day: Day, today: Day, villages: readonly number[], more = sql``) => sql`
  with s as materialized (select * from room_status_at(${day}::date, ${today}::date, ${villages as number[]}::bigint[])),
  rents as (select village_id, sum(monthly_rent) fen from (select distinct s.village_id, s.contract_id, s.let_room_id, k.monthly_rent
      from s join contract_room_brief k on k.contract_id = s.contract_id and k.room_id = s.let_room_id where s.is_let) x group by 1),
  empty as (select s.village_id, r.product_id, count(*) n from s join room r on r.id = s.room_id
    where s.occupancy = 'vacant' and r.product_id is not null group by 1, 2)
  select s.village_id,
    count(*) filter (where occupancy = 'vacant') vacant, count(*) filter (where occupancy = 'reserved') reserved,
    count(*) filter (where occupancy = 'toMoveIn') to_move_in, count(*) filter (where occupancy = 'occupied') occupied,
    count(*) filter (where occupancy = 'expiring') expiring, count(*) filter (where occupancy = 'holdingOver') holding_over,
    count(*) filter (where occupancy = 'leaving') leaving,
    count(*) filter (where condition = 'rentable') rentable, count(*) filter (where condition = 'dirty') dirty,
    count(*) filter (where condition = 'maintenance') maintenance, count(*) filter (where condition = 'offline') offline,
    count(*) filter (where condition = 'selfUse') self_use, count(*) in_stock,
    count(*) filter (where is_base) base, count(*) filter (where is_let) as let,
    count(*) filter (where arrears) arrears_rooms, coalesce(sum(arrears_fen), 0)::bigint arrears_fen,
    coalesce(max(rents.fen), 0)::bigint let_rent_fen, coalesce(sum(p.list_price) filter (where is_base), 0)::bigint list_rent_fen ${more}
  from s left join rents on rents.village_id = s.village_id
  left join lateral (select list_price from room_price where room_id = s.room_id and effective_day <= ${day}::date
    order by effective_day desc limit 1) p on true
  group by s.village_id`;

export async function countsAt(read: Read, day: Day, villages: readonly number[]): Promise<VillageCounts[]> {
  if (!villages.length) return [];
  const { rows } = await counted(day, read.today, villages).execute(read.tx);
  return rows as VillageCounts[];
}

export type Today = { counts: VillageCounts; vacantOf: Record<string, number> };

/** Today's counts of stores, and how many of their empty rooms belong to each product: both out of one reading of all rooms. */
export async function countedToday(read: Read, villages: readonly number[]): Promise<Map<number, Today>> {
  const { rows } = await sql<VillageCounts & { vacantOf: Today["vacantOf"] }>`
    ${counted(
      read.today,
      read.today,
      villages,
      sql`, (select coalesce(jsonb_object_agg(e.product_id, e.n), '{}') from empty e
      where e.village_id = s.village_id) "vacantOf"`,
    )}`.execute(read.tx);
  return new Map(rows.map(({ vacantOf, ...counts }) => [counts.villageId, { counts, vacantOf }]));
}

/** What the roll-up has of a past day. Villages it has not come to are missing. */
export async function keptCounts(
  read: Read,
  day: Day,
  villages: readonly number[],
): Promise<VillageCounts[]> {
  const { rows } = await sql<VillageCounts>`
    select village_id, ${COLUMNS} from village_day where day = ${day}::date and village_id = ${anyOf(villages)}`.execute(
    read.tx,
  );
  return rows;
}

/** Writes the roll-up of a day, over what stands there. */
export async function rollUp(read: Read, day: Day, villages: readonly number[]): Promise<void> {
  await sql`
    insert into village_day (village_id, day, ${COLUMNS})
    select village_id, ${day}::date, ${COLUMNS} from (${counted(day, read.today, villages)}) c
    on conflict (village_id, day) do update set (${COLUMNS}) = row(excluded.vacant, excluded.reserved, excluded.to_move_in,
      excluded.occupied, excluded.expiring, excluded.holding_over, excluded.leaving, excluded.rentable, excluded.dirty,
      excluded.maintenance, excluded.offline, excluded.self_use, excluded.in_stock, excluded.base, excluded.let,
      excluded.arrears_rooms, excluded.arrears_fen, excluded.let_rent_fen, excluded.list_rent_fen)`.execute(
    read.tx,
  );
  await sql`
    insert into village_rolled as r (village_id) select id from village where id = ${anyOf(villages)} order by id
    on conflict (village_id) do update set times = r.times + 1`.execute(read.tx);
}

/** What tells that a store changed: itself, and the number of its changes, not only the last: commits come out of order. */
export async function storeMarks(
  read: Read,
  villages: readonly number[],
  more = sql``,
): Promise<Map<number, string>> {
  const { rows } = await sql<{ villageId: number; mark: string }>`
    select v.id "villageId", concat_ws('/', v.version, max(c.seq), count(c.seq)${more}) mark
    from village v left join room_change c on c.village_id = v.id where v.id = ${anyOf(villages)} group by v.id`.execute(
    read.tx,
  );
  return new Map(rows.map((r) => [r.villageId, `${read.today} ${r.mark}`]));
}

type Count<T> = (read: Read, villages: readonly number[]) => Promise<ReadonlyMap<number, T>>;

type Marks = (read: Read, villages: readonly number[]) => Promise<ReadonlyMap<number, string>>;

/** Today's figures of each store, counted again once something changed there or the day did. Stores without rooms have none. */
export const storeKeeper = <T>(make: Count<T>, marks: Marks = storeMarks) =>
  markedCache<Read, number, T>({ base: ({ tx }) => tx, marks, make, atOnce: 2 });

/** Periods or days whose figures are kept at once. */
const MOST = 12;

/** The same for figures of a period or a past day, which a change of today may still alter: those asked for last are kept. */
export function storeKeeperOf<K extends string, T>(
  count: (read: Read, villages: readonly number[], key: K) => Promise<ReadonlyMap<number, T>>,
  marks?: Marks,
) {
  const keepers = new Map<K, ReturnType<typeof storeKeeper<T>>>();
  return (read: Read, villages: readonly number[], key: K): Promise<Map<number, T>> => {
    const keeper = keepers.get(key) ?? storeKeeper((reading, some) => count(reading, some, key), marks);
    // the one asked for now is the last to go
    keepers.delete(key);
    keepers.set(key, keeper);
    if (keepers.size > MOST) keepers.delete(keepers.keys().next().value!);
    return keeper(read, villages);
  };
}

const keptToday = storeKeeper(countedToday);
const countsToday = async (read: Read, villages: readonly number[]): Promise<VillageCounts[]> =>
  [...(await keptToday(read, villages)).values()].map((today) => today.counts);

/** Empty rooms of stores today, by their product. */
export async function vacantToday(read: Read, villages: readonly number[]): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const { vacantOf } of (await keptToday(read, villages)).values())
    for (const [id, n] of Object.entries(vacantOf)) found.set(Number(id), (found.get(Number(id)) ?? 0) + n);
  return found;
}

/** How far ahead a board may look. */
const AHEAD_DAYS = 365;

/** The day asked for, or today; from the opening of the village to a year ahead. */
export function dayWithin(read: Read, asked: Day | undefined, openingDay: Day): Day {
  const day = asked ?? read.today;
  const early = day < openingDay && day !== read.today;
  if (early || day > addDays(read.today, AHEAD_DAYS))
    throw invalid({ field: "day", msg: "日期超出可查询范围" });
  return day;
}

export const kindOfDay = (day: Day, today: Day): (typeof KINDS_OF_DAY)[number] =>
  day < today ? "past" : day > today ? "future" : "today";

/** Counts of villages on any day: today's kept while nothing changes, past days from the roll-up, the rest counted. */
export async function countsOn(read: Read, day: Day, villages: readonly number[]): Promise<VillageCounts[]> {
  if (day > addDays(read.today, AHEAD_DAYS)) throw invalid({ field: "day", msg: "日期超出可查询范围" });
  if (day === read.today) return countsToday(read, villages);
  const rolled = day < read.today ? await keptCounts(read, day, villages) : [];
  const have = new Set(rolled.map((c) => c.villageId));
  return [
    ...rolled,
    ...(await countsAt(
      read,
      day,
      villages.filter((id) => !have.has(id)),
    )),
  ];
}

/** Of a village without a room. */
export const noCounts = () =>
  Object.fromEntries(COUNTS.map((key) => [key, 0])) as Omit<VillageCounts, "villageId">;

/** One row for each village with rooms, the emptiest first, and the whole counted from sums. */
export async function summaryOn(read: Read, day: Day, villages: readonly number[]) {
  const [counts, names] = await Promise.all([
    countsOn(read, day, villages),
    read.tx.selectFrom("village").select(["id", "name"]).where("id", "=", anyOf(villages)).execute(),
  ]);
  const nameOf = new Map(names.map((v) => [v.id, v.name]));
  const list = counts
    .map((c) => ({ ...c, name: nameOf.get(c.villageId) ?? "", vacancyRate: vacancyRate(c) }))
    .toSorted((a, b) => (b.vacancyRate ?? -1) - (a.vacancyRate ?? -1) || a.villageId - b.villageId);
  const sums = noCounts();
  for (const row of counts)
    for (const key of Object.keys(sums) as (keyof typeof sums)[]) sums[key] += row[key];
  return { day, today: read.today, list, sums: { ...sums, vacancyRate: vacancyRate(sums) } };
}

type Entry = z.input<typeof roomTimeline.reply>[number];
type Row = Omit<Entry, "title"> & { reason: string | null; party: string | null };

const RESERVED = sql`left join reservation_brief v on v.id = e.reservation_id left join party_brief w on w.id = v.party_id`;

/** What stands and stood on the timeline of a room (of each leaf, for a whole flat) over a span, by its start. */
export async function timelineOf(read: Read, roomId: number, from: Day, to: Day): Promise<Entry[]> {
  const { rows } = await sql<Row>`
    with recursive tree as (
      select id, full_name, is_leaf from room where id = ${roomId}
      union all select r.id, r.full_name, r.is_leaf from room r join tree t on r.parent_room_id = t.id),
    entries as (
      select o.room_id, o.let_room_id, o.kind, o.period, o.contract_id, o.block_id, o.reservation_id, false ended from occupancy_row o
      where o.room_id in (select id from tree)
      union all
      select e.room_id, e.let_room_id, e.kind, e.period, e.contract_id, e.block_id, e.reservation_id, true from occupancy_ended e
      where e.room_id in (select id from tree) and e.taken_on < e.ended_on)
    select e.kind, lower(e.period) "from", upper(e.period) - 1 "to", coalesce(c.contract_no, b.number, v.number, '') number,
      e.contract_id "contractId", c.kind "contractKind", e.block_id "blockId", e.reservation_id "reservationId", b.reason,
      coalesce(c.party_name, w.name) party, e.ended, coalesce(k.monthly_rent, v.rent) "rentFen",
      upper(e.period) - lower(e.period) days, t.full_name "roomName",
      case when e.let_room_id <> e.room_id then l.full_name end "letRoomName"
    from entries e join tree t on t.id = e.room_id join room l on l.id = e.let_room_id
    left join contract_brief c on c.id = e.contract_id left join room_block b on b.id = e.block_id
    left join contract_room_brief k on k.contract_id = e.contract_id and k.room_id = e.let_room_id ${RESERVED}
    where e.period && daterange(${from}::date, ${to}::date, '[]')
    union all
    select 'turnover', u.opened_day, u.done_day, '', null, null, null, null, null, null, u.done_day is not null, null,
      u.done_day - u.opened_day, t.full_name, null
    from turnover u join tree t on t.id = u.room_id
    where u.opened_day <= ${to}::date and (u.done_day is null or u.done_day >= ${from}::date)
    order by "from", kind`.execute(read.tx);
  const named = read.who.permits.has("16.query");
  return rows.map(({ reason, party, ...row }) => {
    const name = party && !named ? maskName(party) : (party ?? "");
    const titles = {
      turnover: row.ended ? "已保洁" : "待保洁",
      block: wordOf(BLOCK_REASONS, reason ?? ""),
      lease: name || "租约",
      reservation: [name, "已预订"].filter(Boolean).join(" "),
    };
    return { ...row, title: titles[row.kind] };
  });
}
