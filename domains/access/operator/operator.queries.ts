import { type RawBuilder, sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { allOf, among, amongWords, is, keyword, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { departmentWithBelow } from "../department/department.queries.ts";
import { ABOVE, mayManage } from "../role/powers.rules.ts";
import { notIdle } from "../session/session.service.ts";
import { foundOperator, grantOf } from "./grant.service.ts";
import { listOperators } from "./operator.contract.ts";
import type { STATE_WORDS } from "./operator.rules.ts";

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
    .select(["o.id", "o.realName", "o.phone", "o.account"])
    .where("o.state", "=", "active")
    .$if(!!permits, (q) => q.where(held))
    .$if(villageId !== undefined, (q) => q.where(sees([villageId!])))
    .orderBy(sql`o.real_name collate "zh-x-icu"`)
    .orderBy("o.id")
    .limit(500);
}

/** "财务部 / 出纳" of each assignment of `o`. */
export const PLACES = sql<string>`coalesce((select string_agg(d.name || ' / ' || r.name, '、' order by d.id, r.id)
  from operator_assignment a join department d on d.id = a.department_id join role r on r.id = a.role_id
  where a.operator_id = o.id), '')`;
const assigned = (condition: RawBuilder<unknown>) =>
  sql`exists (select 1 from operator_assignment a where a.operator_id = o.id and ${condition})`;

type Row = {
  id: number;
  realName: string;
  phone: string;
  departments: string;
  state: keyof typeof STATE_WORDS;
  account: string;
  superType: "" | "0" | "1";
  allVillages: boolean;
  villageCount: number;
  lastLoginAt: string | null;
  sessions: number;
  enterpriseName: string;
  verified: boolean;
  secondFactor: boolean;
  version: number;
};
/** What only administrators see. */
const HIDDEN = {
  account: "",
  superType: "",
  allVillages: false,
  villageCount: 0,
  lastLoginAt: null,
  sessions: 0,
  enterpriseName: "",
  verified: false,
  secondFactor: false,
} as const;

export const operators = listOf(listOperators, {
  id: "o.id",
  from: sql`operator o`,
  scope: (read, { villageIds }) =>
    allOf([
      ...(read.who.superType === "0" ? [] : [sql`o.enterprise_id = ${read.who.enterpriseId}`]),
      ...(villageIds?.length ? [sees(villagesOf(read.who, villageIds))] : []),
    ]),
  where: {
    ids: among("o.id"),
    departmentId: async (id, read) => assigned(among("a.department_id")(await departmentWithBelow(read, id))),
    roleId: (id) => assigned(is("a.role_id")(id)),
    state: (states, read) => amongWords(stateAt(read))(states),
    keyword: keyword(phrase("o.real_name", "o.account"), is("o.phone")),
  },
  sort: {
    realName: { by: sql`o.real_name collate "zh-x-icu"`, way: "asc" },
    lastLoginAt: { by: "o.last_login_at", way: "asc" },
  },
  order: "realName",
  tie: sql`o.id`,
  columns: (
    read,
  ) => sql<Row>`o.id, o.real_name "realName", o.phone, ${PLACES} departments, ${stateAt(read)} state,
    o.account, o.super_type "superType", o.all_villages or o.super_type <> '' "allVillages",
    cardinality(o.village_ids) "villageCount", o.last_login_at "lastLoginAt",
    (select count(*) from login_session s where s.operator_id = o.id and s.ended_at is null
      and s.view_by is null and ${notIdle(read)} and s.expires_at > ${read.now.toISOString()}) sessions,
    e.name "enterpriseName", o.verified, ${factorOn} "secondFactor", o.version`,
  join: sql`join operator o on o.id = page.id join enterprise e on e.id = o.enterprise_id`,
  rows: (rows: Row[], { who }) =>
    rows.map((row) => ({ ...row, phone: maskPhone(row.phone), ...(!who.permits.has("46.query") && HIDDEN) })),
});

export async function operatorDetail(read: Read, id: number) {
  const operator = await foundOperator(read, id);
  const { tx, who, now } = read;
  const [more, assignments, villages, locks, grant] = await Promise.all([
    tx
      .selectFrom("operator as o")
      .innerJoin("enterprise as e", "e.id", "o.enterpriseId")
      .select([
        "e.name as enterpriseName",
        "o.lastLoginAt",
        "o.createdAt",
        stateAt(read).as("state"),
        factorOn.as("secondFactor"),
      ])
      .where("o.id", "=", id)
      .executeTakeFirstOrThrow(),
    tx
      .selectFrom("operatorAssignment as a")
      .innerJoin("department as d", "d.id", "a.departmentId")
      .innerJoin("role as r", "r.id", "a.roleId")
      .select([
        "a.departmentId",
        "d.name as departmentName",
        "a.roleId",
        "r.name as roleName",
        sql<number>`(select count(*) from role_function f join function_open n on n.key = f.key
          where f.role_id = r.id and f.key ~ '[.#]')`.as("functions"),
      ])
      .where("a.operatorId", "=", id)
      .orderBy("d.id")
      .orderBy("r.id")
      .execute(),
    tx
      .selectFrom("village")
      .select(["id", "name"])
      .where("id", "in", [0, ...operator.villageIds])
      .orderBy("id")
      .execute(),
    tx
      .selectFrom("loginLock")
      .select(["ip", "until"])
      .where("account", "=", operator.account.toLowerCase())
      .where("until", ">", now.toISOString())
      .orderBy("until")
      .execute(),
    grantOf(read, operator),
  ]);
  const mine = new Set(who.villages);
  return {
    ...operator,
    ...more,
    phone: maskPhone(operator.phone),
    superType: operator.superType as "",
    state: more.state as "active",
    locks,
    assignments,
    villages: villages.map((v) => ({
      // a name from beyond one's own scope stays unknown
      ...(mine.has(v.id) ? v : { id: v.id, name: `权限外的门店 ${v.id}` }),
      mine: mine.has(v.id),
    })),
    locked: id === who.operatorId || mayManage(who, grant) ? null : ABOVE,
  };
}
