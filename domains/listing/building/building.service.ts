import { sql } from "kysely";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { floorName } from "../room/place.rules.ts";
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

constraintSays("building_village_id_community_name_name_key", {
  field: "name",
  msg: "同一门店下楼栋名已存在",
});
constraintSays("unit_building_id_name_key", { field: "name", msg: "同一楼栋下单元名已存在" });
constraintSays("floor_building_id_unit_id_number_key", { field: "number", msg: "同一单元下楼层已存在" });

export type NewBuilding = {
  villageId: number;
  communityName?: string;
  name: string;
  kind?: string;
  address?: string;
  lng?: number | null;
  lat?: number | null;
  floorsAbove: number;
  floorsBelow?: number;
  elevators?: number;
  builtYear?: number | null;
  sort?: number;
  importId?: number;
};
export type NewUnit = { buildingId: number; name: string; sort?: number; importId?: number };
export type NewFloor = {
  buildingId: number;
  unitId: number | null;
  number: number;
  name?: string;
  importId?: number;
};

/** One statement however many buildings; ids come back in the order of the rows. The same for units and floors. */
export async function createBuildings(act: Act, buildings: readonly NewBuilding[]): Promise<number[]> {
  const ids = await nextIds(act, "building", buildings.length);
  const rows = buildings.map((b, i) => ({ ...b, id: ids[i] }));
  await sql`
    insert into building (id, village_id, community_name, name, kind, address, lng, lat, floors_above, floors_below, elevators,
      built_year, sort, import_id, created_by, updated_by)
    select id, "villageId", coalesce("communityName", ''), name, coalesce(kind, ''), coalesce(address, ''), lng, lat, "floorsAbove",
      coalesce("floorsBelow", 0), coalesce(elevators, 0), "builtYear", coalesce(sort, 0), "importId", ${by(act)}, ${by(act)}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "villageId" bigint, "communityName" text,
      name text, kind text, address text, lng numeric, lat numeric, "floorsAbove" int, "floorsBelow" int, elevators int,
      "builtYear" int, sort int, "importId" bigint)`.execute(act.tx);
  return ids;
}

export async function createUnits(act: Act, units: readonly NewUnit[]): Promise<number[]> {
  const ids = await nextIds(act, "unit", units.length);
  const rows = units.map((u, i) => ({ ...u, id: ids[i] }));
  await sql`
    insert into unit (id, building_id, name, sort, import_id)
    select id, "buildingId", name, coalesce(sort, 0), "importId"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "buildingId" bigint, name text, sort int,
      "importId" bigint)`.execute(act.tx);
  return ids;
}

export async function createFloors(act: Act, floors: readonly NewFloor[]): Promise<number[]> {
  const ids = await nextIds(act, "floor", floors.length);
  const rows = floors.map((f, i) => ({ ...f, id: ids[i], name: f.name || floorName(f.number) }));
  await sql`
    insert into floor (id, building_id, unit_id, number, name, import_id)
    select id, "buildingId", "unitId", number, name, "importId"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "buildingId" bigint, "unitId" bigint,
      number int, name text, "importId" bigint)`.execute(act.tx);
  return ids;
}

const by = (act: Act) => act.who.operatorId || null;

export type Standing = { buildingId: number; unitId: number | null; floorId: number };

/**
 * Makes the buildings, units and floors that some spots still lack, in three statements. Answers where each floor
 * stands, by `floorKey`. A new building is as high as its highest spot.
 */
export async function raise(
  act: Act,
  there: Structure,
  spots: readonly Spot[],
  more: { address?: string; importId?: number } = {},
): Promise<(spot: Spot) => Standing> {
  const missing = missingOf(there, spots);
  const buildings = new Map([...there.buildings].map(([key, b]) => [key, b.id]));
  const units = new Map(there.units);
  const floors = new Map(there.floors);
  const add = (known: Map<string, number>, keys: string[], ids: number[]) =>
    keys.forEach((key, i) => known.set(key, ids[i]!));

  const byBuilding = Map.groupBy(spots, buildingKey);
  const heights = (s: Spot) => byBuilding.get(buildingKey(s))!.map((each) => each.floor);
  add(
    buildings,
    missing.buildings.map(buildingKey),
    await createBuildings(
      act,
      missing.buildings.map((s) => ({
        ...more,
        villageId: s.villageId,
        communityName: s.community,
        name: s.building,
        floorsAbove: heights(s).reduce((top, n) => Math.max(top, n), 1),
        floorsBelow: heights(s).reduce((low, n) => Math.max(low, -n), 0),
      })),
    ),
  );
  const imported = more.importId === undefined ? {} : { importId: more.importId };
  const sorts = new Map<string, number>();
  add(
    units,
    missing.units.map(unitKey),
    await createUnits(
      act,
      missing.units.map((s) => {
        const sort = sorts.get(buildingKey(s)) ?? 0;
        sorts.set(buildingKey(s), sort + 1);
        return { ...imported, buildingId: buildings.get(buildingKey(s))!, name: s.unit!, sort };
      }),
    ),
  );
  const unitOf = (s: Spot) => (s.unit === null ? null : units.get(unitKey(s))!);
  add(
    floors,
    missing.floors.map(floorKey),
    await createFloors(
      act,
      missing.floors.map((s) => ({
        ...imported,
        buildingId: buildings.get(buildingKey(s))!,
        unitId: unitOf(s),
        number: s.floor,
      })),
    ),
  );
  return (spot) => ({
    buildingId: buildings.get(buildingKey(spot))!,
    unitId: unitOf(spot),
    floorId: floors.get(floorKey(spot))!,
  });
}
