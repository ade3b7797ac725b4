import { addDays, type Day } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { countedToday, countsAt, keptCounts, type VillageCounts } from "./counts.queries.ts";
import { storeKeeper } from "./store-cache.queries.ts";
import { vacancyRate } from "./status.rules.ts";

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
