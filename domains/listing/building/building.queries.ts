import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/act.ts";
import { pageEnd } from "../../../platform/server/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import type { buildings, buildingTree } from "./building.contract.ts";

type Query = z.output<typeof buildings.query>;
type Row = z.input<typeof buildings.reply>["list"][number];

const ORDER = { name: sql`b.name collate "zh-x-icu"`, sort: sql`b.sort` };

const matching = (read: Read, q: Query) => sql`
  from building b join village v on v.id = b.village_id
  where b.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`b.name`, sql`b.community_name`, sql`b.address`)}` : sql``}`;

export async function buildingRows(read: Read, q: Query): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select b.id, b.village_id "villageId", v.name "villageName", b.community_name "communityName", b.name, b.kind, b.address,
      b.floors_above "floorsAbove", b.floors_below "floorsBelow", b.elevators, b.built_year "builtYear", b.sort, b.version,
      (select count(*) from apartment a where a.building_id = b.id and a.retired_day is null) apartments,
      (select count(*) from room r join apartment a on a.id = r.apartment_id
        where a.building_id = b.id and r.is_leaf and r.retired_day is null) rooms
    ${matching(read, q)}
    order by ${ORDER[q.sort ?? "sort"]} ${sql.raw(q.order === "desc" ? "desc" : "asc")}, b.village_id, b.id
    ${pageEnd(q)}`.execute(read.tx);
  return rows;
}

export async function buildingTotal(read: Read, q: Query): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${matching(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

/** Buildings, units and floors of a village with their counts, in four queries whatever their number. */
export async function treeOf(read: Read, villageId: number): Promise<z.input<typeof buildingTree.reply>> {
  type Flat = { floorId: number; apartments: number; rooms: number };
  type Unit = { id: number; buildingId: number; name: string; sort: number; version: number };
  type Floor = Omit<Unit, "sort"> & { unitId: number | null; number: number };
  const [buildings, units, floors, counted] = await Promise.all([
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
  return buildings.map((b) => {
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
