import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/act.ts";
import { constraintSays } from "../../../platform/server/constraints.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { storedForm } from "../session/password.service.ts";
import { mayGrant } from "./operator.rules.ts";

constraintSays("operator_account", { field: "account", msg: "账号已存在" });
constraintSays("operator_phone", { field: "phone", msg: "该手机号已被使用" });

export type NewOperator = {
  enterpriseId: number;
  account: string;
  realName: string;
  phone: string;
  /** As typed, already judged by the rule for passwords. */
  password: string;
  email?: string;
  superType?: "" | "0" | "1";
  assignments?: readonly { departmentId: number; roleId: number }[];
  allVillages?: boolean;
  villageIds?: readonly number[];
  mustChangePassword?: boolean;
};

/** Writes an operator down. Whether it may be granted is asked before, by `checkGrant`. */
export async function insertOperator(act: Act, operator: NewOperator): Promise<number> {
  const { assignments = [], password, villageIds = [], ...row } = operator;
  const { id } = await act.tx
    .insertInto("operator")
    .values({
      ...row,
      villageIds: [...new Set(villageIds)],
      passwordHash: await storedForm(password),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (assignments.length)
    await act.tx
      .insertInto("operatorAssignment")
      .values(assignments.map((a) => ({ operatorId: id, ...a })))
      .onConflict((c) => c.doNothing())
      .execute();
  return id;
}

/** Refuses what lies beyond the caller's own powers (403), and departments, roles or villages that are not theirs (404). */
async function checkGrant(act: Act, operator: NewOperator): Promise<void> {
  const { who, tx } = act;
  const { assignments = [] } = operator;
  const ids = (of: "departmentId" | "roleId") => [...new Set(assignments.map((a) => a[of]))];
  const own = async (table: "department" | "role", wanted: number[]) => {
    const rows = await tx
      .selectFrom(table)
      .select("id")
      .where("id", "=", anyOf(wanted))
      .where("enterpriseId", "=", operator.enterpriseId)
      .execute();
    if (rows.length < wanted.length) throw notFound();
  };
  await own("department", ids("departmentId"));
  await own("role", ids("roleId"));
  const given = await tx
    .selectFrom("roleFunction")
    .select("key")
    .distinct()
    .where("roleId", "=", anyOf(ids("roleId")))
    // a page or menu alone opens nothing; it comes with its actions
    .where((eb) => eb.or([eb("key", "like", "%.%"), eb("key", "like", "#%")]))
    .execute();
  const grant = {
    superType: operator.superType ?? "",
    allVillages: operator.allVillages ?? false,
    villageIds: operator.villageIds ?? [],
    permits: given.map((row) => row.key),
  };
  if (!mayGrant(who, grant)) throw new Refusal("beyondOwn", "不能授予超出自身的权限", 403);
}

/** A new operator of the caller's enterprise, within the caller's own powers. */
export async function createOperator(act: Act, operator: NewOperator): Promise<number> {
  if (operator.enterpriseId !== act.who.enterpriseId && act.who.superType !== "0") throw notFound();
  await checkGrant(act, operator);
  const id = await insertOperator(act, operator);
  const { account, superType = "", assignments = [], villageIds = [], allVillages = false } = operator;
  await act.note({
    kind: "operator",
    recordId: id,
    number: account,
    action: "新增",
    summary: `新增员工 ${operator.realName}（${account}）`,
    after: { superType, assignments, villageIds, allVillages },
  });
  return id;
}

/** Lets a locked operator try again: the failures that locked the account are forgotten. */
export async function unlock(act: Act, id: number): Promise<void> {
  const operator = await act.tx
    .selectFrom("operator")
    .select(["id", "account", "phone", "realName", "state", "enterpriseId", "superType"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  const mine = operator && (operator.enterpriseId === act.who.enterpriseId || act.who.superType === "0");
  if (!operator || !mine) throw notFound();
  if (operator.state !== "locked") throw new Refusal("state", "账号未锁定", 409);
  await act.tx
    .updateTable("operator")
    .set((eb) => ({ state: "active", version: eb("version", "+", 1), updatedAt: act.now.toISOString() }))
    .where("id", "=", id)
    .execute();
  await act.tx
    .deleteFrom("loginFailure")
    .where("account", "in", [operator.account.toLowerCase(), operator.phone])
    .execute();
  await act.note({
    kind: "operator",
    recordId: id,
    number: operator.account,
    action: "解锁",
    summary: `解锁员工 ${operator.realName}（${operator.account}）`,
  });
}
