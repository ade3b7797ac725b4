import { z } from "zod";
import { contactMobile } from "../../../platform/kernel/texts/contact.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { password, passwordOrUnchanged } from "../../../platform/kernel/texts/password.ts";
import { callsAt, oneRecord } from "../../../platform/kernel/records.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { ROLES } from "../role/role.contract.ts";
import { STATE_WORDS, TYPE_WORDS, account, realName } from "./operator.rules.ts";

const base = "/system/api/v3";
const operators = callsAt(base, "operator");

export const identity = {
  account: f.checked("账号", account),
  realName: f.checked("姓名", realName),
  phone: f.checked("手机", contactMobile, { kind: "phone" }),
  password: f.checked("密码", password, { keepSpaces: true, secrecy: "key" }),
};

/** Who there is, for pickers and for the list of people. What only administrators see is empty for others. */
export const listOperators = operators.get("/operator/queryOperatorList", "员工列表", "login", {
  query: pageQuery("realName", "lastLoginAt").extend({
    ids: idList,
    villageIds: filter.villages(),
    /** With the departments below it. */
    departmentId: z.coerce.number().pipe(f.id).optional(),
    roleId: filter.record("角色", ROLES),
    state: filter.choices("状态", STATE_WORDS),
    keyword: filter.keyword("账号、姓名、手机"),
  }),
  reply: pageReply(
    z.object({
      id: f.id,
      realName: f.person("姓名"),
      phone: f.phone("手机"),
      departments: f.text("部门/角色"),
      state: f.status("状态", STATE_WORDS),
      account: f.text("账号"),
      superType: f.status("类型", TYPE_WORDS),
      allVillages: f.flag("全部门店"),
      villageCount: f.number("门店数"),
      lastLoginAt: f.instant("最近登录").nullable(),
      sessions: f.number("在线会话数"),
      enterpriseName: f.text("企业"),
      verified: f.flag("实名核验"),
      secondFactor: f.flag("两步验证"),
      version: f.number("版本"),
    }),
  ),
});

export const operatorExport = exportOf({
  type: "operator",
  title: "员工",
  needs: "46.export",
  list: listOperators,
  path: `${base}/operator/exportOperatorInfo`,
  filters: { ids: "所选员工", departmentId: "部门编号" },
});

const option = z.object({ id: f.id, realName: f.person("姓名"), phone: f.phone("手机") });

const holder = option.extend({ account: f.text("账号") });

/** Who holds a function, in a village where one is given: pickers of whom to send. */
export const listHolders = operators.get("/operator/queryPermissionOperatorList", "按权限查询员工", "login", {
  query: z.object({
    permit: z.string().regex(/^(\d{1,6}\.[a-z]{3,7}|#\d{3,8})$/, "权限格式不正确"),
    villageId: z.coerce.number().pipe(f.id).optional(),
  }),
  reply: z.array(holder),
});

const ofVillage = z.object({ villageId: z.coerce.number().pipe(f.id) });
/** Who may sign contracts of a village: people there who may add one. */
export const listSigners = operators.get("/operatorVillage/signOperator", "门店签约人", "login", {
  query: ofVillage,
  reply: z.array(option),
});
/** Whom a village can have as its manager: everybody who sees it, and who it is now. */
export const listManagers = operators.get("/operatorVillage/villageManager", "门店负责人", "login", {
  query: ofVillage,
  reply: z.array(option.extend({ manages: f.flag("现任负责人") })),
});

const PLACE = "请选择部门和角色";
/** What an operator is given: the same for a new one and for a change. */
export const granted = {
  email: z
    .union([z.literal(""), z.email("邮箱格式不正确")])
    .default("")
    .meta({ title: "邮箱", kind: "text" }),
  superType: z.enum(["", "1", "0"]).default("").meta({ title: "类型", kind: "status", words: TYPE_WORDS }),
  assignments: z
    .array(z.object({ departmentId: f.pick("部门"), roleId: f.pick("角色") }, { error: PLACE }), {
      error: PLACE,
    })
    .max(20, "部门和角色最多20项")
    .meta({ title: "部门和角色", kind: "text" }),
  allVillages: z.boolean().default(false).meta({ title: "门店范围", kind: "flag" }),
  villageIds: z.array(f.id).max(2000).default([]).meta({ title: "门店", kind: "text" }),
};
type Scoped = { allVillages: boolean; superType: string; villageIds: number[] };
export const needsVillages = [
  (o: Scoped) => o.allVillages || o.superType !== "" || o.villageIds.length > 0,
  { path: ["villageIds"], message: "请选择门店" },
] satisfies [unknown, unknown];
/** Administrators have their powers without a role. */
export const needsPlace = [
  (o: { superType: string; assignments: unknown[] }) => o.superType !== "" || o.assignments.length > 0,
  { path: ["assignments"], message: PLACE },
] satisfies [unknown, unknown];

export const addOperator = operators.post("/operator", "新增员工", "46.add", {
  beyondVillages: true,
  body: z
    .object({ ...identity, ...granted })
    .refine(...needsPlace)
    .refine(...needsVillages),
  reply: oneRecord.extend({ id: f.id }),
});

/** A GET by the specification although it changes something, so it is logged as a write. */
export const unlockOperator = operators.get("/operator/unlock/:id", "解锁员工", "46.enable", {
  effect: "write",
  target: "operator",
  reply: z.null(),
});

/** The people of the company, to filter by and to choose from. */
export const PEOPLE: filter.Source = {
  call: listOperators,
  option: (o: { id: number; realName: string; departments: string }) => ({
    value: o.id,
    label: o.realName,
    note: o.departments,
  }),
};
/** Those of them who can sign in. */
export const ACTIVE_PEOPLE: filter.Source = { ...PEOPLE, query: { state: "active" } };
/** Everybody, told apart by their phones. */
export const OPERATORS = {
  call: listOperators,
  option: (o: { id: number; realName: string; phone: string }) => ({
    value: o.id,
    label: o.realName,
    note: o.phone,
  }),
};

const done = z.object({ id: f.id });

export const getOperator = operators.get("/operator/:id", "员工详情", "46.get", {
  reply: z.object({
    id: f.id,
    enterpriseId: f.id,
    enterpriseName: f.text("企业"),
    account: f.text("账号"),
    realName: f.person("姓名"),
    phone: f.phone("手机"),
    email: f.text("邮箱"),
    superType: f.status("类型", TYPE_WORDS),
    state: f.status("状态", STATE_WORDS),
    verified: f.flag("实名核验"),
    mustChangePassword: f.flag("下次登录须改密码"),
    secondFactor: f.flag("两步验证"),
    allVillages: f.flag("全部门店"),
    villages: z.array(z.object({ id: f.id, name: f.text("门店"), mine: z.boolean() })),
    assignments: z.array(
      z.object({
        departmentId: f.id,
        departmentName: f.text("部门"),
        roleId: f.id,
        roleName: f.text("角色"),
        functions: f.number("功能数"),
      }),
    ),
    /** Addresses at which wrong passwords locked the account, and until when; '*' is every unfamiliar one. */
    locks: z.array(z.object({ ip: z.string(), until: f.instant("至") })),
    /** Why the caller may not change this person, where it is so. */
    locked: z.string().nullable(),
    lastLoginAt: f.instant("最近登录").nullable(),
    createdAt: f.instant("创建时间"),
    version: f.version,
  }),
});

/** What is left empty of phone and password stays as it is. */
export const editOperator = operators.put("/operator/update/:id", "修改员工", "46.edit", {
  beyondVillages: true,
  body: z
    .object({
      account: identity.account,
      realName: identity.realName,
      phone: f.checked("手机", optional(contactMobile), { kind: "phone" }).optional(),
      password: f.checked("密码", passwordOrUnchanged, { keepSpaces: true, secrecy: "key" }).optional(),
      ...granted,
      version: f.version,
    })
    .refine(...needsPlace)
    .refine(...needsVillages),
  reply: done,
});

/** Takes a role in a department away. Without the last one there is no way in any more. */
export const removeAssignment = operators.delete("/operator/:id/:roleId/:depid", "移出部门角色", "46.edit", {
  params: oneRecord.extend({ roleId: z.coerce.number().pipe(f.id), depid: z.coerce.number().pipe(f.id) }),
  reply: z.object({ id: f.id, state: f.status("状态", STATE_WORDS) }),
});

const switched = (to: "enable" | "disable", summary: string) =>
  operators.put(`/operator/:id/${to}`, summary, `46.${to}`, {
    body: z.object({ version: f.version }),
    reply: done,
  });
export const enableOperator = switched("enable", "启用员工");
/** Ends every session at once. */
export const disableOperator = switched("disable", "停用员工");

/** A password of the house's making, told once; whoever comes in with it must choose their own. */
export const resetPassword = operators.put("/operator/:id/resetPassword", "重置密码", "46.edit", {
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, account: z.string(), password: z.string() }),
});

/** For somebody who has lost the phone and the recovery codes: the password alone lets them in again. Ends every session. */
export const resetSecondFactor = operators.put("/operator/:id/resetSecondFactor", "重置两步验证", "46.edit", {
  body: z.object({ version: f.version }),
  reply: done,
});

/** 实名核验: the identity was checked against the papers; those who sign contracts need it. */
export const updateVerify = operators.put("/operator/updateVerify", "更新实名核验", "46.edit", {
  body: z.object({ id: f.id, verified: f.flag("实名核验"), version: f.version }),
  reply: done,
});

/** A token that shows the console as this person sees it, for half an hour, without changing anything. */
export const viewAs = operators.post("/operator/:id/viewAs", "以其身份查看", "46.get", {
  reply: z.object({
    id: f.id,
    token: z.string(),
    until: f.instant("至"),
    realName: z.string(),
    phone: f.phone("手机"),
    superType: z.string(),
  }),
});
