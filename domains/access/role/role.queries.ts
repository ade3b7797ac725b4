import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** A page or menu opens nothing by itself: what counts are actions and authority codes. */
const COUNTED = sql<number>`(select count(*) from role_function f where f.role_id = r.id and f.key ~ '[.#]')`;

export const roles = (read: Pick<Read, "tx">, enterpriseId: number) =>
  read.tx
    .selectFrom("role as r")
    .select([
      "r.id",
      "r.name",
      "r.remark",
      "r.updatedAt",
      "r.version",
      sql<number>`(select count(distinct a.operator_id) from operator_assignment a where a.role_id = r.id)`.as(
        "people",
      ),
      COUNTED.as("functions"),
    ])
    .where("r.enterpriseId", "=", enterpriseId);

/** A role that the caller may know of, or 404. */
export async function foundRole(read: Pick<Read, "tx" | "who">, id: number) {
  const row = await read.tx
    .selectFrom("role")
    .selectAll()
    .where("id", "=", id)
    .$if(read.who.superType !== "0", (q) => q.where("enterpriseId", "=", read.who.enterpriseId))
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export const keysOf = async (read: Pick<Read, "tx">, roleId: number): Promise<string[]> =>
  (
    await read.tx
      .selectFrom("roleFunction as f")
      .innerJoin("functionNode as n", "n.key", "f.key")
      .select("f.key")
      .where("f.roleId", "=", roleId)
      .orderBy("n.orderNum")
      .execute()
  ).map((row) => row.key);

export const holdersOf = (read: Pick<Read, "tx">, roleId: number) =>
  read.tx
    .selectFrom("operatorAssignment as a")
    .innerJoin("operator as o", "o.id", "a.operatorId")
    .innerJoin("department as d", "d.id", "a.departmentId")
    .select(["a.operatorId", "o.realName", "d.name as departmentName"])
    .where("a.roleId", "=", roleId)
    .orderBy("d.id")
    .orderBy("o.id")
    .limit(500)
    .execute();
