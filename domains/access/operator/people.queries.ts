import { sql } from "kysely";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { foundOperator, grantOf } from "./grant.service.ts";
import { factorOn, stateAt } from "./operator.queries.ts";
import { ABOVE, mayManage } from "./operator.rules.ts";

/** Everything about one operator, as the drawer shows it. */
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
