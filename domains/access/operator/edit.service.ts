import { sql } from "kysely";
import { randomInt } from "node:crypto";
import type { Given } from "../../../platform/kernel/call.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { forbidden, invalid, Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { beyond } from "../role/powers.rules.ts";
import { removeFactor } from "../session/factor.service.ts";
import { liftLocks } from "../session/lock.service.ts";
import { storedForm } from "../session/password.service.ts";
import { endSessions, openView } from "../session/session.service.ts";
import { type Assignment, type Member, checkGrant, managed } from "./grant.service.ts";
import type { editOperator } from "./operator.contract.ts";
import { STATE_WORDS } from "./operator.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

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

/** One's own phone and password ask for a code, whatever else one may edit. */
function keepsOwn(
  before: Member,
  given: { phone?: string | undefined; password?: string | undefined },
): void {
  if (given.phone && given.phone !== before.phone)
    throw invalid({ field: "phone", msg: "不能在此修改自己的手机号，请在右上角修改手机号" });
  if (given.password) throw invalid({ field: "password", msg: "不能在此修改自己的密码，请在右上角修改密码" });
}

export async function updateOperator(
  act: Act,
  id: number,
  body: Given<typeof editOperator>["body"],
): Promise<void> {
  const before = await managed(act, id);
  const { version, password, phone, assignments, ...columns } = body;
  if (id === act.who.operatorId) keepsOwn(before, { phone, password });
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
        mustChangePassword: true,
      }),
      ...stamp(act),
    },
  );
  await setAssignments(act, before, assignments);
  if (password) await endSessions(act, id, "password");
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

type Changes = {
  state?: "active" | "disabled";
  verified?: boolean;
  passwordHash?: string;
  mustChangePassword?: boolean;
};

async function change(act: Act, of: Member, version: number, changes: Changes): Promise<void> {
  await revise(act, "operator", { id: of.id, version }, { ...changes, ...stamp(act) });
}

const inState = (of: Member, wanted: string, action: string) => {
  const [word] = STATE_WORDS[of.state as "active"];
  if (of.state !== wanted) throw new Refusal("notAllowed", `当前状态为“${word}”，不能${action}`);
};

export async function enable(act: Act, id: number, version: number): Promise<void> {
  const operator = await managed(act, id);
  inState(operator, "disabled", "启用");
  const { enabled } = await theRow(act, "enterprise", ["enabled"], { id: operator.enterpriseId });
  if (!enabled) throw new Refusal("notAllowed", "企业尚未开通，请在“注册申请”中启用");
  if (!operator.superType && !operator.assignments.length)
    throw new Refusal("notAllowed", "员工没有部门和角色，请先编辑分配");
  await change(act, operator, version, { state: "active" });
  await noteOperator(act, operator, "启用");
}

export async function disable(act: Act, id: number, version: number): Promise<void> {
  const operator = await managed(act, id);
  if (id === act.who.operatorId) throw new Refusal("notAllowed", "不能停用自己");
  inState(operator, "active", "停用");
  await keepsSuper(act, operator);
  await change(act, operator, version, { state: "disabled" });
  await endSessions(act, id, "disabled");
  await noteOperator(act, operator, "停用");
}

// without letters and digits that people confuse
const LETTERS = "abcdefghjkmnpqrstuvwxyz";
const DIGITS = "23456789";
const any = (from: string) => from[randomInt(from.length)]!;
/** Eleven characters: easy to read out over the phone, far too many to guess. */
const freshPassword = () =>
  `${any(LETTERS).toUpperCase()}${Array.from({ length: 6 }, () => any(LETTERS)).join("")}${Array.from({ length: 4 }, () => any(DIGITS)).join("")}`;

export async function reset(act: Act, id: number, version: number): Promise<string> {
  const operator = await managed(act, id);
  if (id === act.who.operatorId) throw new Refusal("notAllowed", "不能重置自己的密码，请在右上角修改密码");
  const password = freshPassword();
  await change(act, operator, version, {
    passwordHash: await storedForm(password),
    mustChangePassword: true,
  });
  // who has forgotten the password has often locked the account with it
  await liftLocks(act, operator.account);
  await endSessions(act, id, "password");
  await noteOperator(act, operator, "重置密码", {
    summary: `重置员工 ${operator.realName}（${operator.account}）的密码`,
  });
  return password;
}

export async function forgetFactor(act: Act, id: number, version: number): Promise<void> {
  const operator = await managed(act, id);
  if (id === act.who.operatorId) throw new Refusal("notAllowed", "不能重置自己的两步验证，请在右上角关闭");
  if (!(await removeFactor(act, id))) throw new Refusal("notAllowed", "该员工没有开启两步验证");
  await change(act, operator, version, {});
  await endSessions(act, id, "secondFactor");
  await noteOperator(act, operator, "重置两步验证", {
    summary: `重置员工 ${operator.realName}（${operator.account}）的两步验证`,
  });
}

export async function verify(act: Act, id: number, version: number, verified: boolean): Promise<void> {
  const operator = await managed(act, id);
  await change(act, operator, version, { verified });
  await noteOperator(act, operator, verified ? "实名核验" : "取消实名核验");
}

/** Takes one assignment away; an ordinary operator without any is disabled with it. */
export async function takeAway(act: Act, id: number, roleId: number, departmentId: number): Promise<string> {
  const operator = await managed(act, id);
  const rest = operator.assignments.filter((a) => a.roleId !== roleId || a.departmentId !== departmentId);
  if (rest.length === operator.assignments.length) throw notFound();
  const ends = !rest.length && !operator.superType;
  if (ends && id === act.who.operatorId) throw new Refusal("notAllowed", "不能移出自己的最后一个部门和角色");
  await act.tx
    .deleteFrom("operatorAssignment")
    .where("operatorId", "=", id)
    .where("roleId", "=", roleId)
    .where("departmentId", "=", departmentId)
    .execute();
  const state = ends ? "disabled" : operator.state;
  await act.tx
    .updateTable("operator")
    .set({ state, version: NEXT_VERSION, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  if (ends) await endSessions(act, id, "disabled");
  await noteOperator(act, operator, "移出部门角色", {
    before: { assignments: operator.assignments },
    after: { assignments: rest, ...(ends && { state }) },
  });
  return state;
}

/** Only administrators look on as others, and nobody above themselves. */
export async function view(act: Act, id: number) {
  if (!act.who.superType) throw new Refusal("noPermission", "只有管理员可以以他人身份查看", 403);
  const operator = await managed(act, id);
  if (id === act.who.operatorId) throw new Refusal("notAllowed", "不能以自己的身份查看");
  inState(operator, "active", "以其身份查看");
  const opened = await openView(act, id);
  await noteOperator(act, operator, "以其身份查看", {
    summary: `以员工 ${operator.realName}（${operator.account}）的身份查看，30 分钟内有效`,
  });
  return { ...opened, operator };
}

/** Ends one session: of oneself, or of somebody whose account one may change. */
export async function endOne(act: Act, sessionId: number): Promise<void> {
  const { who, tx, now } = act;
  const session = await tx
    .selectFrom("loginSession as s")
    .innerJoin("operator as o", "o.id", "s.operatorId")
    .select(["s.id", "s.operatorId", "o.enterpriseId", "o.realName", "o.account"])
    .where("s.id", "=", sessionId)
    .where("s.endedAt", "is", null)
    .executeTakeFirst();
  const own = session?.operatorId === who.operatorId;
  const near = session && (who.superType === "0" || session.enterpriseId === who.enterpriseId);
  // whose session it is, is told only to who may see it
  if (!session || !near || (!own && !who.permits.has("46.get"))) throw notFound();
  if (!own) {
    if (!who.permits.has("46.edit")) throw forbidden();
    await managed(act, session.operatorId);
  }
  await tx
    .updateTable("loginSession")
    .set({ endedAt: now.toISOString(), endReason: own ? "logout" : "kicked" })
    .where("id", "=", session.id)
    .execute();
  if (!own)
    await noteOperator(
      act,
      { id: session.operatorId, account: session.account, realName: session.realName },
      "强制下线",
      { summary: `强制员工 ${session.realName}（${session.account}）的一个会话下线` },
    );
}
