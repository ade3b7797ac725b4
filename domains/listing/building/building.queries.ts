import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { keyword, part, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { storeKeeper } from "../status/overview.queries.ts";
import { type buildingTree, buildings, units, floors } from "./building.contract.ts";

type Row = z.input<typeof buildings.reply>["list"][number];

type Stock = { id: number; apartments: number; rooms: number };

/** Flats and rooms of each building, counted anew once something changed in the store. */
const stockOf = storeKeeper<Map<number, Stock>>(async (read, villages) => {
  const { rows } = await sql<Stock & { villageId: number }>`
    select a.village_id "villageId", a.building_id id, count(distinct a.id) filter (where a.retired_day is null) apartments,
      count(r.id) rooms
    from apartment a left join room r on r.apartment_id = a.id and r.is_leaf and r.retired_day is null
    where a.village_id = ${anyOf(villages)} group by 1, 2`.execute(read.tx);
  const stores = Map.groupBy(rows, (row) => row.villageId);
  return new Map([...stores].map(([id, stocks]) => [id, new Map(stocks.map((stock) => [stock.id, stock]))]));
});

const FROM = sql`building b join village v on v.id = b.village_id`;

export const buildingList = listOf(buildings, {
  id: "b.id",
  from: FROM,
  village: "b.village_id",
  where: { keyword: keyword(part("b.name", "b.community_name", "b.address")) },
  sort: { name: sql`b.name collate "zh-x-icu"`, sort: "b.sort" },
  order: "sort",
  way: "asc",
  tie: sql`b.village_id, b.id`,
  columns: sql<Omit<Row, keyof Stock> & { id: number }>`b.id, b.village_id "villageId", v.name "villageName",
    b.community_name "communityName", b.name, b.kind, b.address, b.floors_above "floorsAbove",
    b.floors_below "floorsBelow", b.elevators, b.built_year "builtYear", b.sort, b.version`,
  join: sql`join ${FROM} on b.id = page.id`,
  rows: async (rows, read) => {
    const stocks = await stockOf(read, [...new Set(rows.map((row) => row.villageId))]);
    return rows.map((row) => {
      const { apartments = 0, rooms = 0 } = stocks.get(row.villageId)?.get(row.id) ?? {};
      return { ...row, apartments, rooms };
    });
  },
});

/** Buildings, units and floors of a village with their counts, in four queries whatever their number. */
export async function treeOf(read: Read, villageId: number): Promise<z.input<typeof buildingTree.reply>> {
  type Flat = { floorId: number; apartments: number; rooms: number };
  type Unit = { id: number; buildingId: number; name: string; sort: number; version: number };
  type Floor = Omit<Unit, "sort"> & { unitId: number | null; number: number };
  const [found, units, floors, counted] = await Promise.all([
    read.tx
      .selectFrom("building")
      .selectAll()
      .where("villageId", "=", villageId)
      .orderBy("sort")
      .orderBy("communityName")
      .orderBy(sql`lpad(substring(name from '\\d+'), 6, '0')`)
      .orderBy("name")
      .orderBy("id")
      .execute(),
    sql<Unit>`
      select u.id, u.building_id "buildingId", u.name, u.sort, u.version from unit u join building b on b.id = u.building_id
      where b.village_id = ${villageId} order by u.sort, lpad(substring(u.name from '\\d+'), 6, '0'), u.name, u.id`.execute(
      read.tx,
    ),
    sql<Floor>`
      select f.id, f.building_id "buildingId", f.unit_id "unitId", f.number, f.name, f.version
      from floor f join building b on b.id = f.building_id
      where b.village_id = ${villageId} order by f.number, f.id`.execute(read.tx),
    sql<Flat>`
      select a.floor_id "floorId", count(*) apartments, coalesce(sum(r.n), 0)::bigint rooms
      from apartment a
      left join lateral (select count(*) n from room r where r.apartment_id = a.id and r.is_leaf and r.retired_day is null) r on true
      where a.village_id = ${villageId} and a.retired_day is null group by 1`.execute(read.tx),
  ]);
  const counts = new Map(counted.rows.map((row) => [row.floorId, row]));
  const of = (ids: readonly number[]) => ({
    apartments: ids.reduce((sum, id) => sum + (counts.get(id)?.apartments ?? 0), 0),
    rooms: ids.reduce((sum, id) => sum + (counts.get(id)?.rooms ?? 0), 0),
  });
  return found.map((b) => {
    const mine = floors.rows.filter((f) => f.buildingId === b.id);
    return {
      ...b,
      ...of(mine.map((f) => f.id)),
      units: units.rows
        .filter((u) => u.buildingId === b.id)
        .map((u) => ({ ...u, ...of(mine.filter((f) => f.unitId === u.id).map((f) => f.id)) })),
      floors: mine.map((f) => ({ ...f, ...of([f.id]) })),
    };
  });
}

// A unit or floor is seen through the village of its building.

export async function buildingSeen(read: Read, id: number) {
  return seen(
    read.who,
    await read.tx.selectFrom("building").selectAll().where("id", "=", id).executeTakeFirst(),
  );
}

export async function unitSeen(read: Read, id: number) {
  return seen(
    read.who,
    await read.tx
      .selectFrom("unit as u")
      .innerJoin("building as b", "b.id", "u.buildingId")
      .selectAll("u")
      .select(["b.villageId", "b.name as buildingName"])
      .where("u.id", "=", id)
      .executeTakeFirst(),
  );
}

export async function floorSeen(read: Read, id: number) {
  return seen(
    read.who,
    await read.tx
      .selectFrom("floor as f")
      .innerJoin("building as b", "b.id", "f.buildingId")
      .selectAll("f")
      .select(["b.villageId", "b.name as buildingName", "b.floorsAbove", "b.floorsBelow"])
      .where("f.id", "=", id)
      .executeTakeFirst(),
  );
}

/** A floor together with the unit it is said to lie in; a pair that does not belong together does not exist. */
export async function floorOf(read: Read, floorId: number, unitId: number | null) {
  const floor = await floorSeen(read, floorId);
  if (floor.unitId !== unitId) throw notFound();
  return floor;
}

const UNITS = sql`unit u join building b on b.id = u.building_id`;

export const unitList = listOf(units, {
  id: "u.id",
  from: UNITS,
  scope: (read) => sql`b.village_id = ${anyOf(read.who.villages)}`,
  where: { buildingId: is("u.building_id") },
  sort: { name: "u.name", sort: "u.sort" },
  order: "sort",
  way: "asc",
  tie: sql`u.id`,
  columns: sql<z.input<typeof units.reply>["list"][number]>`u.id, u.building_id "buildingId", u.name, u.sort,
    u.version, b.name "buildingName",
    (select count(*) from apartment a where a.unit_id = u.id and a.retired_day is null) apartments`,
  join: sql`join ${UNITS} on u.id = page.id`,
});

const FLOORS = sql`floor f join building b on b.id = f.building_id`;

export const floorList = listOf(floors, {
  id: "f.id",
  from: FLOORS,
  scope: (read) => sql`b.village_id = ${anyOf(read.who.villages)}`,
  where: { buildingId: is("f.building_id"), unitId: is("f.unit_id") },
  sort: { number: { order: (way) => sql`f.building_id, f.number ${way}, f.id` } },
  order: "number",
  way: "asc",
  columns: sql<
    z.input<typeof floors.reply>["list"][number]
  >`f.id, f.building_id "buildingId", f.unit_id "unitId",
    f.number, f.name, f.plan_file_id "planFileId", f.version,
    (select count(*) from apartment a where a.floor_id = f.id and a.retired_day is null) apartments`,
  join: sql`join floor f on f.id = page.id`,
});
