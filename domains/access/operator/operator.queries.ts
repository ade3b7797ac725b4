import { sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** Operators that the caller may know of: their enterprise's, or all for who runs the platform. */
export const colleagues = ({ tx, who }: Read) =>
  tx
    .selectFrom("operator as o")
    .$if(who.superType !== "0", (q) => q.where("o.enterpriseId", "=", who.enterpriseId));

/** The state as people see it: a live lock at any address shows. */
export const stateAt = ({ now }: Pick<Read, "now">) => sql<string>`case when o.state = 'active' and exists (
  select from login_lock l where l.account = lower(o.account) and l.until > ${now.toISOString()}) then 'locked' else o.state end`;

/** Whether a second factor is asked for at the log-in. */
export const factorOn = sql<boolean>`exists (select from second_factor f where f.operator_id = o.id and f.confirmed_at is not null)`;

/** True for operators who see every one of the villages. */
export const sees = (villageIds: readonly number[]) =>
  sql<boolean>`(o.super_type <> '' or o.all_villages or o.village_ids @> ${villageIds as number[]}::bigint[])`;

/** Active operators who hold one of the permits, and see the village where one is given. */
export function holders(read: Read, permits: readonly Permit[] | undefined, villageId?: number) {
  const held = sql<boolean>`(o.super_type <> '' or exists (
    select 1 from operator_assignment a join role_function f on f.role_id = a.role_id
    join function_open n on n.key = f.key
    where a.operator_id = o.id and f.key = any(${(permits ?? []) as string[]})))`;
  return colleagues(read)
    .select(["o.id", "o.realName", "o.phone"])
    .where("o.state", "=", "active")
    .$if(!!permits, (q) => q.where(held))
    .$if(villageId !== undefined, (q) => q.where(sees([villageId!])))
    .orderBy(sql`o.real_name collate "zh-x-icu"`)
    .orderBy("o.id")
    .limit(500);
}

/** "财务部 / 出纳" of each assignment. */
export const departmentsOf = (ids: readonly number[], { tx }: Read) =>
  tx
    .selectFrom("operatorAssignment as a")
    .innerJoin("department as d", "d.id", "a.departmentId")
    .innerJoin("role as r", "r.id", "a.roleId")
    .select([
      "a.operatorId",
      sql<string>`string_agg(d.name || ' / ' || r.name, '、' order by d.id, r.id)`.as("names"),
    ])
    .where("a.operatorId", "=", anyOf(ids))
    .groupBy("a.operatorId")
    .execute();
