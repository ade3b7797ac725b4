import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { nobody, type Act, type Read, type Who } from "../../../platform/server/pipeline/act.ts";
import { permitsOfOperator } from "../session/session.service.ts";

/** Puts a village into the scope of operators; it is visible from their next call on. Who sees all villages anyway keeps no list. */
export async function grantVillage(
  act: Act,
  villageId: number,
  operatorIds: readonly number[],
): Promise<void> {
  await act.tx
    .updateTable("operator")
    .set({
      villageIds: sql`array_append(village_ids, ${villageId}::bigint)`,
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "in", [0, ...operatorIds])
    .where("superType", "=", "")
    .where("allVillages", "=", false)
    .where(sql<boolean>`not village_ids @> array[${villageId}::bigint]`)
    .execute();
}

/** Takes a village that no longer exists out of every scope. */
export async function withdrawVillage(act: Act, villageId: number): Promise<void> {
  await act.tx
    .updateTable("operator")
    .set({ villageIds: sql`array_remove(village_ids, ${villageId}::bigint)`, version: NEXT_VERSION })
    .where(sql<boolean>`village_ids @> array[${villageId}::bigint]`)
    .execute();
}

/** Whether somebody has every village of an enterprise in scope, and so may change what holds in all of them. */
export async function seesWhole(read: Pick<Read, "tx" | "who">, enterpriseId: number): Promise<boolean> {
  const { who } = read;
  if (who.superType === "0") return true;
  if (who.enterpriseId !== enterpriseId) return false;
  if (who.superType === "1") return true;
  const { beyond } = await read.tx
    .selectFrom("village")
    .select(
      sql<boolean>`coalesce(bool_or(id <> all(${who.villages as number[]}::bigint[])), true)`.as("beyond"),
    )
    .where("enterpriseId", "=", enterpriseId)
    .executeTakeFirstOrThrow();
  return !beyond;
}

/** For defaults of a whole enterprise: refuses who has only some of its villages. */
export async function needsWhole(read: Pick<Read, "tx" | "who">, enterpriseId: number): Promise<void> {
  if (!(await seesWhole(read, enterpriseId)))
    throw new Refusal("noPermission", "企业设置影响全部门店，请由可管理全部门店的人员修改", 403);
}

/** Active operators of a village's enterprise who see the village and hold the permit: whom something there concerns. */
export async function whoHolds(
  { tx }: Pick<Read, "tx">,
  permit: Permit,
  villageId: number,
): Promise<number[]> {
  const rows = await tx
    .selectFrom("operator as o")
    .innerJoin("village as v", (join) =>
      join.onRef("v.enterpriseId", "=", "o.enterpriseId").on("v.id", "=", villageId),
    )
    .select("o.id")
    .where("o.state", "=", "active")
    .where(sql<boolean>`(o.super_type <> '' or o.all_villages or o.village_ids @> array[v.id])`)
    .where(
      sql<boolean>`(o.super_type <> '' or exists (
        select 1 from operator_assignment a join role_function f on f.role_id = a.role_id
        join function_node n on n.key = f.key and n.enabled
        where a.operator_id = o.id and f.key = ${permit}))`,
    )
    .orderBy("o.id")
    .execute();
  return rows.map((row) => row.id);
}

/** Those who hold a permit in every one of some villages: what belongs to no store alone is theirs. */
export async function whoHoldsAll(
  read: Pick<Read, "tx">,
  permit: Permit,
  villageIds: readonly number[],
): Promise<number[]> {
  let all: number[] | undefined;
  for (const villageId of villageIds) {
    const here = new Set(await whoHolds(read, permit, villageId));
    all = (all ?? [...here]).filter((person) => here.has(person));
  }
  return all ?? [];
}

/**
 * The person for whom a job goes on working after their call has been answered, with the scope of this moment. Work that is
 * theirs asks `needsActive` first; what was approved, or is the system's own, goes on without them.
 */
export async function whoActs(db: Kysely<DB>, operatorId: number): Promise<Who> {
  const operator = await db
    .selectFrom("operator")
    .select(["id", "realName", "phone", "enterpriseId", "superType", "allVillages", "villageIds"])
    .where("id", "=", operatorId)
    .executeTakeFirstOrThrow();
  const all = operator.superType !== "" || operator.allVillages;
  const { rows } = await sql<{ id: number }>`
    select id from village where ${operator.superType === "0"} or enterprise_id = ${operator.enterpriseId} order by id`.execute(
    db,
  );
  return {
    ...nobody,
    operatorId,
    name: operator.realName,
    phone: operator.phone,
    enterpriseId: operator.enterpriseId,
    superType: operator.superType,
    villages: all ? rows.map((row) => row.id) : operator.villageIds,
    permits: await permitsOfOperator(db, operator),
  };
}

/** Refuses to go on with a job for somebody who may no longer come in. */
export async function needsActive({ tx, who }: Pick<Act, "tx" | "who">): Promise<void> {
  const { state } = await theRow({ tx }, "operator", ["state"], { id: who.operatorId });
  if (state !== "active")
    throw new Refusal("notAllowed", `发起人 ${who.name} 的账号已停用，没有继续办理，请由在职人员重新发起`);
}
