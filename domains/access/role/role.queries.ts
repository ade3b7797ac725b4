import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { allOf, among, is, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { enterpriseOf } from "../department/department.queries.ts";
import { listRoles, type roleOptions, type roleRow } from "./role.contract.ts";

const NAME = sql`r.name collate "zh-x-icu"`;
const PEOPLE = sql`(select count(distinct a.operator_id) from operator_assignment a where a.role_id = r.id)`;
/** A page or menu opens nothing by itself: what counts are actions and authority codes. */
const FUNCTIONS = sql`(select count(*) from role_function f where f.role_id = r.id and f.key ~ '[.#]')`;

export const roles = listOf(listRoles, {
  id: "r.id",
  from: sql`role r`,
  scope: ({ who }, { enterpriseId }) => sql`r.enterprise_id = ${enterpriseOf(who, enterpriseId)}`,
  where: { enterpriseId: () => undefined, keyword: phrase("r.name", "r.remark") },
  sort: {
    name: { by: NAME, way: "asc" },
    people: { by: PEOPLE, way: "asc" },
    functions: { by: FUNCTIONS, way: "asc" },
    updatedAt: { by: "r.updated_at", way: "asc" },
  },
  order: "name",
  tie: sql`r.id`,
  columns: sql<z.input<typeof roleRow>>`r.id, r.name, r.remark, r.updated_at "updatedAt", r.version,
    ${PEOPLE} people, ${FUNCTIONS} functions`,
  join: sql`join role r on r.id = page.id`,
});

export async function optionsOf(
  read: Read,
  { enterpriseId, ids, keyword }: z.output<typeof roleOptions.query>,
) {
  const conditions = allOf([
    is("r.enterprise_id")(enterpriseOf(read.who, enterpriseId)),
    ...(ids?.length ? [among("r.id")(ids)] : []),
    ...(keyword ? [phrase("r.name")(keyword)] : []),
  ]);
  const { rows } = await sql<{ id: number; name: string }>`
    select r.id, r.name from role r where ${conditions} order by ${NAME}`.execute(read.tx);
  return rows;
}

/** A role that the caller may know of, or 404. */
export async function foundRole(read: Pick<Read, "tx" | "who">, id: number) {
  const row = await read.tx
    .selectFrom("role")
    .selectAll()
    .where("id", "=", id)
    .$if(read.who.superType !== "0", (q) => q.where("enterpriseId", "=", read.who.enterpriseId))
    .executeTakeFirstOrThrow(notFound);
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
