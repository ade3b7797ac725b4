import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { countsAt, keptCounts, type VillageCounts } from "./counts.queries.ts";
import { vacancyRate } from "./status.rules.ts";

type Kept = { day: Day; mark: string; counts: VillageCounts | undefined };
/** Today's counts of each village, as long as nothing changed there. It can be lost at any time; it is only counted again. */
const kept = new WeakMap<Kysely<DB>, Map<number, Kept>>();

/** What tells that a village changed: the number of its changes, not only the last, because commits come out of order. */
async function marksOf(read: Read, villages: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ villageId: number; mark: string }>`
    select village_id "villageId", max(seq) || '/' || count(*) mark from room_change
    where village_id = ${anyOf(villages)} group by 1`.execute(read.tx);
  return new Map(rows.map((r) => [r.villageId, r.mark]));
}

async function countsToday(read: Read, villages: readonly number[]): Promise<VillageCounts[]> {
  const known = kept.get(read.tx) ?? new Map<number, Kept>();
  kept.set(read.tx, known);
  const marks = await marksOf(read, villages);
  const markOf = (id: number) => marks.get(id) ?? "";
  const old = villages.filter(
    (id) => known.get(id)?.day !== read.today || known.get(id)?.mark !== markOf(id),
  );
  const fresh = new Map((await countsAt(read, read.today, old)).map((c) => [c.villageId, c]));
  for (const id of old) known.set(id, { day: read.today, mark: markOf(id), counts: fresh.get(id) });
  return villages.flatMap((id) => known.get(id)?.counts ?? []);
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
