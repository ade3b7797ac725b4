import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/act.ts";
import { pageEnd } from "../../../platform/server/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/scope.ts";
import { likes } from "../room/keyword.queries.ts";
import type { villageRow, villages, villageStaff } from "./village.contract.ts";
import type { Standing } from "./village.rules.ts";

type Query = z.output<typeof villages.query>;

const SORTS: Record<NonNullable<Query["sort"]>, RawBuilder<unknown>> = {
  state: sql`array_position(array['open', 'preparing', 'closed'], v.state)`,
  name: sql`v.name collate "zh-x-icu"`,
  code: sql`v.code`,
  openingDay: sql`v.opening_day`,
  buildings: sql`b.n`,
  rooms: sql`r.n`,
};

const matching = (read: Read, q: Query) => sql`
  from village v
  join district d on d.id = v.district_id
  join operator m on m.id = v.manager_id
  left join lateral (select count(*) n from building b where b.village_id = v.id) b on true
  left join lateral (select count(*) n from room r where r.village_id = v.id and r.is_leaf
    and (r.retired_day is null or r.retired_day > ${read.today})) r on true
  where v.id = ${anyOf(villagesOf(read.who, q.villageIds))}
    ${q.districtId ? sql`and d.id in (${belowDistrict(q.districtId)})` : sql``}
    ${q.mode ? sql`and v.mode = ${q.mode}` : sql``}
    ${q.state ? sql`and v.state = ${q.state}` : sql``}
    ${q.enterpriseId ? sql`and v.enterprise_id = ${q.enterpriseId}` : sql``}
    ${q.managerId ? sql`and v.manager_id = ${q.managerId}` : sql``}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`v.code`, sql`v.name`, sql`v.short_name`, sql`v.address`, sql`v.pinyin`)}` : sql``}`;

const belowDistrict = (id: number) => sql`
  with recursive tree as (select id from district where id = ${id}
    union all select c.id from district c join tree t on c.parent_id = t.id) select id from tree`;

/** One page of villages with what stands in them and how full they are today. */
export async function villageRows(read: Read, q: Query): Promise<z.input<typeof villageRow>[]> {
  const order = sql.raw(q.order === "desc" ? "desc" : "asc");
  const by = q.sort ? sql`${SORTS[q.sort]} ${order},` : sql`${SORTS.state}, ${SORTS.name},`;
  const { rows } = await sql<z.input<typeof villageRow>>`
    with page as (
      select v.id, v.code, v.name, v.short_name "shortName", v.mode, v.district_id "districtId", d.name "districtName",
        v.address, v.lng, v.lat, v.manager_id "managerId", m.real_name "managerName", v.phone,
        v.opening_day "openingDay", v.closed_day "closedDay", v.state, v.version, b.n buildings, r.n rooms,
        row_number() over (order by ${by} v.id) at
      ${matching(read, q)}
      order by at ${pageEnd(q)}),
    now as (
      select village_id, count(*) filter (where is_base) rentable, count(*) filter (where is_base and is_let) let
      from room_status_at(${read.today}, ${read.today}, array(select id from page)) group by 1)
    select p.*, coalesce(n.rentable, 0) rentable, coalesce(n.let, 0) let,
      n.let::float8 / nullif(n.rentable, 0) "letRate",
      case when exists (select 1 from village_account a where a.village_id = p.id and a.enabled)
        then 'set' else 'missing' end account,
      (select i.file_id from village_picture i where i.village_id = p.id order by i.type, i.sort, i.id limit 1) cover
    from page p left join now n on n.village_id = p.id order by p.at`.execute(read.tx);
  return rows;
}

export async function villageTotals(read: Read, q: Query) {
  const { rows } = await sql<{ total: number; buildings: number; rooms: number }>`
    select count(*) total, coalesce(sum(b.n), 0)::bigint buildings, coalesce(sum(r.n), 0)::bigint rooms
    ${matching(read, q)}`.execute(read.tx);
  return rows[0]!;
}

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
      (select count(*) from village_account where village_id = ${villageId} and enabled) accounts,
      (select count(*) from occupancy_row where village_id = ${villageId} and kind = 'lease'
        and period && daterange(${day}, null)) leases,
      (select count(*) from occupancy_row where village_id = ${villageId} and kind = 'reservation'
        and period && daterange(${day}, null)) reservations,
      (select count(*) from bill where village_id = ${villageId} and outstanding > 0) "openBills",
      (select count(*) from deposit_balance where village_id = ${villageId} and held > 0)
        + (select count(*) from earnest_balance where village_id = ${villageId} and held > 0) "depositsHeld"`.execute(
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
  return rows;
}
