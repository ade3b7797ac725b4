import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** A floor as people name it: the parts that lead to it inside a village. */
export type Spot = {
  villageId: number;
  community: string;
  building: string;
  unit: string | null;
  floor: number;
};

// names may hold any letter, so the parts are kept apart by one that nobody can type
const key = (...parts: (string | number | null)[]) => parts.map((p) => p ?? "").join("\u0000");
export const buildingKey = (s: Omit<Spot, "unit" | "floor">): string =>
  key(s.villageId, s.community, s.building);
export const unitKey = (s: Omit<Spot, "floor">): string => key(buildingKey(s), s.unit);
export const floorKey = (s: Spot): string => key(unitKey(s), s.floor);
/** A flat is unique in its building and unit, whatever its floor. */
export const doorKey = (s: Omit<Spot, "floor">, door: string): string => key(unitKey(s), door);

export type Structure = {
  buildings: Map<string, { id: number; floorsAbove: number; floorsBelow: number }>;
  units: Map<string, number>;
  floors: Map<string, number>;
  doors: Set<string>;
};

type Row = Spot & { id: number; above: number; below: number; what: string; door: string };

/** Everything that stands in some villages, found by name. */
export async function structureOf(read: Read, villageIds: readonly number[]): Promise<Structure> {
  const { rows } = await sql<Row>`
    with b as (select id, village_id, community_name, name, floors_above, floors_below from building
      where village_id = ${anyOf(villageIds)})
    select 'building' what, b.id, b.village_id "villageId", b.community_name community, b.name building, null unit, 0 floor,
      b.floors_above above, b.floors_below below, '' door from b
    union all
    select 'unit', u.id, b.village_id, b.community_name, b.name, u.name, 0, 0, 0, '' from unit u join b on b.id = u.building_id
    union all
    select 'floor', f.id, b.village_id, b.community_name, b.name, u.name, f.number, 0, 0, ''
    from floor f join b on b.id = f.building_id left join unit u on u.id = f.unit_id
    union all
    select 'door', a.id, b.village_id, b.community_name, b.name, u.name, 0, 0, 0, a.name
    from apartment a join b on b.id = a.building_id left join unit u on u.id = a.unit_id
    where a.retired_day is null`.execute(read.tx);
  const of = (what: string) => rows.filter((row) => row.what === what);
  return {
    buildings: new Map(
      of("building").map((r) => [buildingKey(r), { id: r.id, floorsAbove: r.above, floorsBelow: r.below }]),
    ),
    units: new Map(of("unit").map((r) => [unitKey(r), r.id])),
    floors: new Map(of("floor").map((r) => [floorKey(r), r.id])),
    doors: new Set(of("door").map((r) => doorKey(r, r.door))),
  };
}

/** The places among some spots that do not stand yet, each once, in the order of the spots. */
export function missingOf(there: Structure, spots: readonly Spot[]) {
  const once = <T>(keyOf: (s: Spot) => string, known: Map<string, T>, wanted: (s: Spot) => boolean) => [
    ...new Map(
      spots.filter((s) => wanted(s) && !known.has(keyOf(s))).map((s) => [keyOf(s), s] as const),
    ).values(),
  ];
  return {
    buildings: once(buildingKey, there.buildings, () => true),
    units: once(unitKey, there.units, (s) => s.unit !== null),
    floors: once(floorKey, there.floors, () => true),
  };
}
