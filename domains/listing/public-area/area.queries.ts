import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import type { areaRow, publicAreas } from "./area.contract.ts";
import type { AreaState } from "./area.rules.ts";

type Query = z.output<typeof publicAreas.query>;
type Row = z.input<typeof areaRow>;

const PLACE = sql`v.name collate "zh-x-icu", v.id, b.sort nulls first, b.community_name, b.name, b.id nulls first,
  u.sort nulls first, u.id nulls first, f.number nulls first, p.name collate "zh-x-icu"`;
const SORTS: Record<Exclude<NonNullable<Query["sort"]>, "place">, RawBuilder<unknown>> = {
  name: sql`p.name collate "zh-x-icu"`,
  area: sql`p.area`,
  capacity: sql`p.capacity`,
  assets: sql`n.assets`,
  updatedAt: sql`p.updated_at`,
};

const PLACES = sql`
  from public_area p join village v on v.id = p.village_id
  left join building b on b.id = p.building_id
  left join floor f on f.id = p.floor_id left join unit u on u.id = f.unit_id`;
const ASSETS = sql`
  left join lateral (select coalesce(sum(x.quantity), 0)::int assets from room_asset x
    where x.public_area_id = p.id and x.state in ('inUse', 'damaged')) n on true`;
const FROM = sql`${PLACES} ${ASSETS}`;

/** Assets are counted of every area only where they put the areas in order or are summed. */
const matching = (read: Read, q: Query, counted: boolean) => sql`
  ${counted ? FROM : PLACES} where p.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
    ${q.ids ? sql`and p.id = ${anyOf(q.ids)}` : sql``}
    ${q.buildingId ? sql`and p.building_id = ${q.buildingId}` : sql``}
    ${q.kind ? sql`and p.kind_dic = ${q.kind}` : sql``}
    ${q.state ? sql`and p.state = ${q.state}` : sql``}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`p.name`)}` : sql``}`;

const COLUMNS = sql`p.id, p.name, p.village_id "villageId", v.name "villageName", p.building_id "buildingId",
  p.floor_id "floorId", coalesce(f.name, '') "floorName",
  coalesce(nullif(concat_ws('·', nullif(b.community_name, ''), b.name, u.name, f.name), ''), '全店') place,
  p.kind_dic "kindDic", coalesce(d.name, p.kind_dic) "kindName", p.area, p.capacity, p.open_hours "openHours",
  n.assets, p.manager_id "managerId", m.real_name "managerName", p.state, p.updated_at "updatedAt", p.version,
  (select i.file_id from public_area_picture i where i.public_area_id = p.id order by i.sort, i.id limit 1) cover`;
const NAMES = sql`
  left join operator m on m.id = p.manager_id
  left join dic_item d on d.enterprise_id = v.enterprise_id and d.kind = 'house' and d.group_key = 'areaKind'
    and d.code = p.kind_dic`;

/** One page of areas in the order in which people walk through the stores. */
export async function areaRows(read: Read, q: Query): Promise<Row[]> {
  const down = sql.raw(q.order === "desc" ? "desc" : "asc");
  const by = q.sort && q.sort !== "place" ? sql`${SORTS[q.sort]} ${down}, ${PLACE}` : PLACE;
  const page = await sql<{ id: number }>`
    select p.id ${matching(read, q, q.sort === "assets")} order by ${by}, p.id ${pageEnd(q)}`.execute(
    read.tx,
  );
  // assets and pictures are looked for once the page is known: in one statement they would be for every area there is
  const ids = page.rows.map((row) => row.id);
  const { rows } = await sql<Row>`
    select ${COLUMNS} ${FROM} ${NAMES} where p.id = ${anyOf(ids)}
    order by array_position(${ids}::bigint[], p.id)`.execute(read.tx);
  return rows;
}

export async function areaTotals(read: Read, q: Query) {
  const { rows } = await sql<{ total: number; area: string; assets: number }>`
    select count(*) total, coalesce(sum(p.area), 0) area, coalesce(sum(n.assets), 0)::int assets
    ${matching(read, q, true)}`.execute(read.tx);
  return rows[0]!;
}

/** An area that the caller may see, as it is stored. */
export async function areaSeen(read: Read, id: number) {
  const row = await read.tx.selectFrom("publicArea").selectAll().where("id", "=", id).executeTakeFirst();
  return { ...seen(read.who, row), state: row!.state as AreaState };
}

export async function areaDetail(read: Read, id: number) {
  const stored = await areaSeen(read, id);
  const [shown, pictures] = await Promise.all([
    sql<Row>`select ${COLUMNS} ${FROM} ${NAMES} where p.id = ${id}`.execute(read.tx),
    picturesOf(read, id),
  ]);
  return { ...shown.rows[0]!, remark: stored.remark, createdAt: stored.createdAt, pictures };
}

export async function picturesOf(read: Read, areaId: number): Promise<number[]> {
  const rows = await read.tx
    .selectFrom("publicAreaPicture")
    .select("fileId")
    .where("publicAreaId", "=", areaId)
    .orderBy("sort")
    .orderBy("id")
    .execute();
  return rows.map((row) => row.fileId);
}
