import { sql } from "kysely";
import type { z } from "zod";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { is, keyword, part } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { countsOn } from "../status/status.service.ts";
import { villages, type villageRow, type villageStaff } from "./village.contract.ts";
import type { Standing } from "./village.rules.ts";

type Row = z.input<typeof villageRow>;

/** Leaves in stock or to come; in two parts, for each is counted in an index of its own. */
const rooms = (read: Read) => sql`(
  (select count(*) from room r where r.village_id = v.id and r.is_leaf and r.retired_day is null)
  + (select count(*) from room r where r.village_id = v.id and r.is_leaf and r.retired_day > ${read.today}))`;
const buildings = sql`(select count(*) from building b where b.village_id = v.id)`;

const STATE = sql`array_position(array['open', 'preparing', 'closed'], v.state)`;
const NAME = sql`v.name collate "zh-x-icu"`;
const FROM = sql`village v join district d on d.id = v.district_id join operator m on m.id = v.manager_id`;

/** Stores with what stands in them and how full they are today. */
export const villageList = listOf(villages, {
  id: "v.id",
  from: FROM,
  village: "v.id",
  where: {
    districtId: (id) => sql`d.id in (with recursive tree as (select id from district where id = ${id}
      union all select c.id from district c join tree t on c.parent_id = t.id) select id from tree)`,
    mode: is("v.mode"),
    state: is("v.state"),
    enterpriseId: is("v.enterprise_id"),
    managerId: is("v.manager_id"),
    keyword: keyword(part("v.code", "v.name", "v.short_name", "v.address", "v.pinyin")),
  },
  sort: {
    state: STATE,
    name: NAME,
    code: "v.code",
    openingDay: "v.opening_day",
    buildings,
    rooms: { order: (way, read) => sql`${rooms(read)} ${way}, v.id` },
  },
  order: sql`${STATE}, ${NAME}, v.id`,
  way: "asc",
  tie: sql`v.id`,
  columns: (read: Read) => sql<
    Omit<Row, "rentable" | "let" | "letRate">
  >`v.id, v.code, v.name, v.short_name "shortName",
    v.mode, v.district_id "districtId", d.name "districtName", v.address, v.lng, v.lat, v.manager_id "managerId",
    m.real_name "managerName", v.phone, v.opening_day "openingDay", v.closed_day "closedDay", v.state, v.version,
    ${buildings} buildings, ${rooms(read)} rooms,
    case when exists (select 1 from village_account_brief a where a.village_id = v.id and a.enabled)
      then 'set' else 'missing' end account,
    (select i.file_id from village_picture i where i.village_id = v.id order by i.type, i.sort, i.id limit 1) cover`,
  join: sql`join ${FROM} on v.id = page.id`,
  rows: async (rows, read) => {
    const ids = rows.map((v) => v.id);
    // kept while nothing changes in the store: a list does not go through all rooms of its page again
    const counts = new Map((await countsOn(read, read.today, ids)).map((c) => [c.villageId, c]));
    return rows.map((v) => {
      const { base = 0, let: taken = 0 } = counts.get(v.id) ?? {};
      return { ...v, rentable: base, let: taken, letRate: base ? taken / base : null };
    });
  },
  sums: {
    select: (read) => sql`coalesce(sum(${buildings}), 0)::bigint buildings,
      coalesce(sum(${rooms(read)}), 0)::bigint rooms`,
  },
});

/** What opening and closing look at, at a day. */
export async function standing(
  read: Read,
  villageId: number,
  day: string,
): Promise<Standing & { buildings: number; rooms: number; accounts: number }> {
  const { rows } = await sql<Standing & { buildings: number; rooms: number; accounts: number }>`
    select
      (select count(*) from building where village_id = ${villageId}) buildings,
      (select count(*) from room where village_id = ${villageId} and is_leaf and retired_day is null) rooms,
      (select count(*) from village_account_brief where village_id = ${villageId} and enabled) accounts,
      (select count(*) from occupancy_row where village_id = ${villageId} and kind = 'lease'
        and period && daterange(${day}, null)) leases,
      (select count(*) from occupancy_row where village_id = ${villageId} and kind = 'reservation'
        and period && daterange(${day}, null)) reservations,
      (select count(*) from bill_brief where village_id = ${villageId} and outstanding > 0) "openBills",
      (select count(*) from money_held where village_id = ${villageId} and held > 0) "depositsHeld"`.execute(
    read.tx,
  );
  return rows[0]!;
}

/** Who may see the village, its manager first. */
export async function staffOf(
  read: Read,
  village: { id: number; managerId: number; enterpriseId: number },
): Promise<z.input<typeof villageStaff.reply>> {
  const { rows } = await sql<z.input<typeof villageStaff.reply>[number]>`
    select o.id, o.real_name "realName", o.phone, o.id = ${village.managerId} manager,
      coalesce(string_agg(distinct r.name, '、'), case when o.super_type <> '' then '管理员' else '' end) roles,
      coalesce(string_agg(distinct d.name, '、'), '') departments
    from operator o
    left join operator_assignment a on a.operator_id = o.id
    left join role r on r.id = a.role_id left join department d on d.id = a.department_id
    where o.state <> 'disabled' and o.enterprise_id = ${village.enterpriseId}
      and (o.super_type <> '' or o.all_villages or o.village_ids @> array[${village.id}::bigint])
    group by o.id order by manager desc, o.super_type <> '', o.id`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: maskPhone(row.phone) }));
}
