import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { ABOVE, BEYOND, mayGrant, mayManage, type Grant } from "../role/powers.rules.ts";

export type Assignment = { departmentId: number; roleId: number };
export type Held = {
  enterpriseId: number;
  superType: string;
  assignments: readonly Assignment[];
  allVillages: boolean;
  villageIds: readonly number[];
};

const rolesIn = (assignments: readonly Assignment[]) => [...new Set(assignments.map((a) => a.roleId))];

export const permitsOfRoles = async (read: Pick<Read, "tx">, roleIds: readonly number[]): Promise<string[]> =>
  (
    await read.tx
      .selectFrom("roleFunction")
      .select("key")
      .distinct()
      .where("roleId", "=", anyOf(roleIds))
      .execute()
  ).map((row) => row.key);

/** 404 where one of these is not of the enterprise. */
export async function needOwn(
  act: Act,
  table: "department" | "role" | "operator",
  enterpriseId: number,
  ids: readonly number[],
) {
  const wanted = [...new Set(ids)];
  const rows = await act.tx
    .selectFrom(table)
    .select("id")
    .where("id", "=", anyOf(wanted))
    .where("enterpriseId", "=", enterpriseId)
    .execute();
  if (rows.length < wanted.length) throw notFound();
}

/** Villages of another enterprise are nobody's to give, whoever gives them. */
async function needVillages(act: Act, enterpriseId: number, ids: readonly number[]) {
  const wanted = [...new Set(ids)];
  const { n } = await act.tx
    .selectFrom("village")
    .select(sql<number>`count(*)`.as("n"))
    .where("id", "=", anyOf(wanted))
    .where("enterpriseId", "=", enterpriseId)
    .executeTakeFirstOrThrow();
  if (n < wanted.length) throw new Refusal("beyondOwn", BEYOND, 403);
}

/** Refuses what lies beyond the caller's own powers (403), and departments and roles that are not the enterprise's (404). */
export async function checkGrant(act: Act, given: Held): Promise<void> {
  const { enterpriseId, assignments, superType, allVillages, villageIds } = given;
  await needOwn(
    act,
    "department",
    enterpriseId,
    assignments.map((a) => a.departmentId),
  );
  await needOwn(act, "role", enterpriseId, rolesIn(assignments));
  const permits = await permitsOfRoles(act, rolesIn(assignments));
  if (!mayGrant(act.who, { superType, allVillages, villageIds, permits }))
    throw new Refusal("beyondOwn", BEYOND, 403);
  await needVillages(act, enterpriseId, villageIds);
}

export type Member = Held & {
  id: number;
  account: string;
  realName: string;
  phone: string;
  email: string;
  state: string;
  verified: boolean;
  mustChangePassword: boolean;
  version: number;
};

/** An operator that the caller may know of; 404 for those of other enterprises. */
export async function foundOperator(
  read: Pick<Read, "tx" | "who">,
  id: number,
  forUpdate = false,
): Promise<Member> {
  const row = await read.tx
    .selectFrom("operator")
    .selectAll()
    .where("id", "=", id)
    .$if(read.who.superType !== "0", (q) => q.where("enterpriseId", "=", read.who.enterpriseId))
    .$if(forUpdate, (q) => q.forUpdate())
    .executeTakeFirstOrThrow(notFound);
  const assignments = await read.tx
    .selectFrom("operatorAssignment")
    .select(["departmentId", "roleId"])
    .where("operatorId", "=", id)
    .orderBy("departmentId")
    .orderBy("roleId")
    .execute();
  return { ...row, assignments };
}

export const grantOf = async (read: Pick<Read, "tx">, of: Held): Promise<Grant> => ({
  superType: of.superType,
  allVillages: of.allVillages,
  villageIds: of.villageIds,
  permits: await permitsOfRoles(read, rolesIn(of.assignments)),
});

/** An operator whom the caller may change: of the same enterprise, and with no more powers than the caller. */
export async function managed(act: Act, id: number): Promise<Member> {
  const operator = await foundOperator(act, id, true);
  if (id !== act.who.operatorId && !mayManage(act.who, await grantOf(act, operator)))
    throw new Refusal("aboveOwn", ABOVE, 403);
  return operator;
}
