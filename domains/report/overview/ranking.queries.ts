import type { Day, Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { reached, weighted, type Rules } from "../indicator/indicator.rules.ts";
import { keptTargets, targetOf } from "../target/target.queries.ts";
import type { RANKED } from "./overview.contract.ts";
import { sumsOf, valuesOf, whole, type Values, type Villages } from "./overview.queries.ts";
import { CODES } from "./overview.rules.ts";
import { addUp, type RoomDays } from "./rooms.queries.ts";

type Ranked = (typeof RANKED)[number];

/**
 * A row for each store that has rooms, and the whole from their sums; only the figures that are wanted. 目标完成 is made
 * of those that have a weight.
 */
export async function rankingOf(
  read: Read,
  villages: Villages,
  period: Period,
  asOf: Day,
  { codes, rules }: { codes: readonly Ranked[]; rules: Rules },
) {
  const weighed = CODES.filter((code) => codes.includes(code) && rules[code].weight > 0);
  const [sums, kept, names] = await Promise.all([
    sumsOf(read, villages, period, asOf, codes),
    keptTargets(read, weighed, villages, period),
    read.tx
      .selectFrom("village as v")
      .innerJoin("district as d", "d.id", "v.districtId")
      .select(["v.id", "v.name", "d.name as district"])
      .execute(),
  ]);
  const placeOf = new Map(names.map((v) => [v.id, v]));
  const rowOf = (
    rooms: RoomDays,
    values: Values,
    stores: readonly { id: number; rooms: number }[],
  ): { rooms: number; reached?: number | null } & Partial<Values & { vacant: number }> => ({
    rooms: rooms.inStock,
    ...Object.fromEntries(
      codes.map((code) => [code, code === "vacant" ? rooms.lastBase - rooms.lastLet : values[code]]),
    ),
    ...(weighed.length && {
      reached: weighted(
        weighed.map((code) => ({
          weight: rules[code].weight,
          share: reached(
            rules[code].better,
            values[code],
            targetOf(code, kept, stores, period, rules[code].defaultTarget),
          ),
        })),
      ),
    }),
  });
  const rows = [...sums.rooms].map(([id, rooms]) => ({
    id,
    name: placeOf.get(id)?.name ?? "",
    district: placeOf.get(id)?.district ?? "",
    ...rowOf(
      rooms,
      valuesOf(
        rooms,
        sums.earned.get(id) ?? 0,
        sums.due.get(id) ?? { billed: 0, settled: 0 },
        sums.taken.get(id) ?? 0,
        sums.owed.get(id) ?? 0,
        sums.ending.get(id) ?? { ending: 0, renewed: 0 },
      ),
      [{ id, rooms: rooms.inStock }],
    ),
  }));
  const stores = rows.map((row) => ({ id: row.id, rooms: row.rooms }));
  return { rows, whole: rowOf(addUp(sums.rooms.values()), whole(sums), stores) };
}
