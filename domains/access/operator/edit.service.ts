import { sql } from "kysely";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Given } from "../../../platform/kernel/call.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { storedForm } from "../session/password.service.ts";
import { endSessions } from "../session/session.service.ts";
import { checkGrant, managed, type Assignment, type Member } from "./grant.service.ts";
import { beyond } from "./operator.rules.ts";
import type { editOperator } from "./people.contract.ts";

export const noteOperator = (
  act: Act,
  of: Pick<Member, "id" | "account" | "realName">,
  action: string,
  more: { summary?: string; before?: unknown; after?: unknown } = {},
): Promise<void> =>
  act.note({
    kind: "operator",
    recordId: of.id,
    number: of.account,
    action,
    summary: `${action}员工 ${of.realName}（${of.account}）`,
    ...more,
  });

const keyOf = (a: Assignment) => `${a.departmentId}/${a.roleId}`;

/** Only what is added must be the caller's to give: what somebody has already they may keep. */
export async function checkAdded(act: Act, before: Member, after: Omit<Member, "id">): Promise<void> {
  const known = new Set(before.assignments.map(keyOf));
  await checkGrant(act, {
    enterpriseId: before.enterpriseId,
    superType: after.superType === before.superType ? "" : after.superType,
    assignments: after.assignments.filter((a) => !known.has(keyOf(a))),
    allVillages: after.allVillages && !before.allVillages,
    villageIds: beyond(after.villageIds, before.villageIds),
  });
}

/** One of those who run the platform must stay able to come in, whoever else is asked to go at this moment. */
export async function keepsSuper(act: Act, leaving: Member): Promise<void> {
  if (leaving.superType !== "0" || leaving.state !== "active") return;
  const { rows } = await sql<{ id: number }>`
    select id from operator where super_type = '0' and state = 'active' order by id for update`.execute(
    act.tx,
  );
  if (rows.every((row) => row.id === leaving.id))
    throw new Refusal("lastSuper", "至少保留一名启用的平台管理员");
}

/** Writes assignments anew; those that stay keep their row. */
export async function setAssignments(act: Act, before: Member, after: readonly Assignment[]): Promise<void> {
  const wanted = new Set(after.map(keyOf));
  for (const gone of before.assignments.filter((a) => !wanted.has(keyOf(a))))
    await act.tx
      .deleteFrom("operatorAssignment")
      .where("operatorId", "=", before.id)
      .where("departmentId", "=", gone.departmentId)
      .where("roleId", "=", gone.roleId)
      .execute();
  if (after.length)
    await act.tx
      .insertInto("operatorAssignment")
      .values(after.map((a) => ({ operatorId: before.id, departmentId: a.departmentId, roleId: a.roleId })))
      .onConflict((c) => c.doNothing())
      .execute();
}

export async function updateOperator(
  act: Act,
  id: number,
  body: Given<typeof editOperator>["body"],
): Promise<void> {
  const before = await managed(act, id);
  const { version, password, phone, assignments, ...columns } = body;
  const next = { ...before, ...columns, assignments };
  await checkAdded(act, before, next);
  if (next.superType !== "0") await keepsSuper(act, before);
  const villageIds = columns.allVillages ? [] : [...new Set(columns.villageIds)];
  await revise(
    act,
    "operator",
    { id, version },
    {
      ...columns,
      villageIds,
      ...(phone && { phone }),
      ...(password && {
        passwordHash: await storedForm(password),
        // a password that somebody else chose is a loan; one's own is not
        mustChangePassword: id !== act.who.operatorId,
      }),
      ...stamp(act),
    },
  );
  await setAssignments(act, before, assignments);
  if (password) await endSessions(act, id, "password", id === act.who.operatorId ? act.who.sessionId : 0);
  const told = (of: Member) => ({
    account: of.account,
    realName: of.realName,
    phone: maskPhone(of.phone),
    email: of.email,
    superType: of.superType,
    assignments: of.assignments,
    allVillages: of.allVillages,
    villageIds: of.villageIds,
  });
  await noteOperator(act, next, "修改", {
    before: told(before),
    after: {
      ...told({ ...next, phone: phone || before.phone, villageIds }),
      ...(password && { 密码: "已更换" }),
    },
  });
}
