import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { liftLocks } from "../session/lock.service.ts";
import { storedForm } from "../session/password.service.ts";
import { checkGrant, managed } from "./grant.service.ts";

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

/** A new operator of the caller's enterprise, within the caller's own powers. */
export async function createOperator(act: Act, operator: NewOperator): Promise<number> {
  if (operator.enterpriseId !== act.who.enterpriseId && act.who.superType !== "0") throw notFound();
  const { superType = "", assignments = [], villageIds = [], allVillages = false } = operator;
  const { enterpriseId } = operator;
  await checkGrant(act, { enterpriseId, superType, assignments, villageIds, allVillages });
  const id = await insertOperator(act, operator);
  await act.note({
    kind: "operator",
    recordId: id,
    number: operator.account,
    action: "新增",
    summary: `新增员工 ${operator.realName}（${operator.account}）`,
    after: { superType, assignments, villageIds, allVillages },
  });
  return id;
}

/** Lets a locked operator try again, from everywhere: the failures that locked the account are forgotten. */
export async function unlock(act: Act, id: number): Promise<void> {
  const operator = await managed(act, id);
  if (!(await liftLocks(act, operator.account))) throw new Refusal("state", "账号未锁定", 409);
  await act.note({
    kind: "operator",
    recordId: id,
    number: operator.account,
    action: "解锁",
    summary: `解锁员工 ${operator.realName}（${operator.account}）`,
  });
}
