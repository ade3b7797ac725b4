import { randomInt } from "node:crypto";
import { NEXT_VERSION, revise, stamp } from "../../../platform/server/database/versioned.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { removeFactor } from "../session/factor.service.ts";
import { liftLocks, storedForm } from "../session/password.service.ts";
import { endSessions, openView } from "../session/session.service.ts";
import { keepsSuper, noteOperator } from "./edit.service.ts";
import { managed, type Member } from "./grant.service.ts";
import { STATE_WORDS } from "./operator.rules.ts";

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
  const { enabled } = await act.tx
    .selectFrom("enterprise")
    .select("enabled")
    .where("id", "=", operator.enterpriseId)
    .executeTakeFirstOrThrow();
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
