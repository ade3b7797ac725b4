import { sql } from "kysely";
import type { z } from "zod";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { maskName } from "../../../platform/kernel/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { markedCache } from "../../../platform/server/database/cache.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { BLOCK_REASONS, wordOf } from "../room/words.rules.ts";
import { type VillageCounts, countedToday, countsAt, keptCounts } from "./counts.queries.ts";
import type { roomTimeline } from "./overview.contract.ts";
import { vacancyRate } from "./status.rules.ts";

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

/** Today's figures of each store, counted again once something changed there or the day did. Stores without rooms have none. */
export const storeKeeper = <T>(make: Count<T>) =>
  markedCache<Read, number, T>({ base: ({ tx }) => tx, marks: storeMarks, make });

/** Periods or days whose figures are kept at once. */
const MOST = 12;

/** The same for figures of a period or a past day, which a change of today may still alter: those asked for last are kept. */
export function storeKeeperOf<K extends string, T>(
  count: (read: Read, villages: readonly number[], key: K) => Promise<ReadonlyMap<number, T>>,
) {
  const keepers = new Map<K, ReturnType<typeof storeKeeper<T>>>();
  return (read: Read, villages: readonly number[], key: K): Promise<Map<number, T>> => {
    const keeper = keepers.get(key) ?? storeKeeper((reading, some) => count(reading, some, key));
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

/** Counts of villages on any day: today's kept while nothing changes, past days from the roll-up, the rest counted. */
export async function countsOn(read: Read, day: Day, villages: readonly number[]): Promise<VillageCounts[]> {
  if (day > addDays(read.today, 365)) throw invalid({ field: "day", msg: "日期超出可查询范围" });
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

const zero = (): Omit<VillageCounts, "villageId"> => ({
  vacant: 0,
  reserved: 0,
  toMoveIn: 0,
  occupied: 0,
  expiring: 0,
  holdingOver: 0,
  leaving: 0,
  rentable: 0,
  dirty: 0,
  maintenance: 0,
  offline: 0,
  selfUse: 0,
  inStock: 0,
  base: 0,
  let: 0,
  arrearsRooms: 0,
  arrearsFen: 0,
  letRentFen: 0,
  listRentFen: 0,
});

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
  const sums = zero();
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
      e.contract_id "contractId", e.block_id "blockId", e.reservation_id "reservationId", b.reason,
      coalesce(c.party_name, w.name) party, e.ended, coalesce(k.monthly_rent, v.rent) "rentFen",
      upper(e.period) - lower(e.period) days, t.full_name "roomName",
      case when e.let_room_id <> e.room_id then l.full_name end "letRoomName"
    from entries e join tree t on t.id = e.room_id join room l on l.id = e.let_room_id
    left join contract_brief c on c.id = e.contract_id left join room_block b on b.id = e.block_id
    left join contract_room_brief k on k.contract_id = e.contract_id and k.room_id = e.let_room_id ${RESERVED}
    where e.period && daterange(${from}::date, ${to}::date, '[]')
    union all
    select 'turnover', u.opened_day, u.done_day, '', null, null, null, null, null, u.done_day is not null, null,
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
