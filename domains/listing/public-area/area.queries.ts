import { sql } from "kysely";
import { among, is, keyword, part } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { publicAreas } from "./area.contract.ts";

const PLACES = sql`public_area p join village v on v.id = p.village_id
  left join building b on b.id = p.building_id
  left join floor f on f.id = p.floor_id left join unit u on u.id = f.unit_id`;
const ASSETS = sql`
  left join lateral (select coalesce(sum(x.quantity), 0)::int assets from room_asset x
    where x.public_area_id = p.id and x.state in ('inUse', 'damaged')) n on true`;

/** Where something stands, as people say it: 3栋·1单元·3F, or the whole store. */
export const PLACE = sql<string>`coalesce(nullif(concat_ws('·', nullif(b.community_name, ''), b.name, u.name, f.name), ''), '全店')`;

/** Areas in the order in which people walk through the stores. */
export const areas = listOf(publicAreas, {
  id: "p.id",
  from: PLACES,
  village: "p.village_id",
  where: {
    ids: among("p.id"),
    buildingId: is("p.building_id"),
    kind: is("p.kind_dic"),
    state: is("p.state"),
    keyword: keyword(part("p.name")),
  },
  sort: {
    place: {
      order: (
        way,
      ) => sql`v.name collate "zh-x-icu" ${way}, v.id ${way}, b.sort ${way} nulls first, b.community_name ${way},
        b.name ${way}, b.id ${way} nulls first, u.sort ${way} nulls first, u.id ${way} nulls first, f.number ${way} nulls first,
        p.name collate "zh-x-icu" ${way}, p.id ${way}`,
    },
    name: { by: sql`p.name collate "zh-x-icu"`, way: "asc" },
    area: "p.area",
    capacity: "p.capacity",
    assets: { by: "n.assets", join: ASSETS },
    updatedAt: "p.updated_at",
  },
  order: "place",
  columns: sql<RowOf<typeof publicAreas>>`p.id, p.name, p.village_id "villageId", v.name "villageName",
    p.building_id "buildingId", p.floor_id "floorId", coalesce(f.name, '') "floorName",
    ${PLACE} place,
    p.kind_dic "kindDic", coalesce(d.name, p.kind_dic) "kindName", p.area, p.capacity, p.open_hours "openHours",
    n.assets, p.manager_id "managerId", m.real_name "managerName", p.state, p.updated_at "updatedAt", p.version,
    (select i.file_id from public_area_picture i where i.public_area_id = p.id order by i.sort, i.id limit 1) cover`,
  join: sql`join ${PLACES} on p.id = page.id ${ASSETS}
    left join operator m on m.id = p.manager_id
    left join dic_item d on d.enterprise_id = v.enterprise_id and d.kind = 'house' and d.group_key = 'areaKind'
      and d.code = p.kind_dic`,
  sums: {
    select: sql`coalesce(sum(p.area), 0) area, coalesce(sum(n.assets), 0)::int assets`,
    join: ASSETS,
  },
});

/** An area that the caller may see, as it is stored. */
export const areaSeen = async (read: Read, id: number) =>
  seen(read.who, await read.tx.selectFrom("publicArea").selectAll().where("id", "=", id).executeTakeFirst());

/** The same as people see it, with its pictures in their order. */
export async function areaDetail(read: Read, id: number) {
  const { remark, createdAt } = await areaSeen(read, id);
  const pictures = read.tx.selectFrom("publicAreaPicture").select("fileId").where("publicAreaId", "=", id);
  const [[row], files] = await Promise.all([
    areas.rowsOf(read, [id]),
    pictures.orderBy("sort").orderBy("id").execute(),
  ]);
  return { ...row!, remark, createdAt, pictures: files.map(({ fileId }) => fileId) };
}
