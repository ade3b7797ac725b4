import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { contactMobile } from "../../../platform/kernel/contact.ts";
import * as f from "../../../platform/kernel/field.ts";
import { passwordOrUnchanged } from "../../../platform/kernel/password.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { granted, identity, needsPlace, needsVillages } from "./operator.contract.ts";
import { STATE_WORDS, TYPE_WORDS } from "./operator.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const base = "/system/api/v3/operator";
const done = z.object({ id: f.id });

export const getOperator = call({
  method: "GET",
  path: `${base}/:id`,
  summary: "员工详情",
  needs: "46.get",
  params: oneRecord,
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
export const editOperator = call({
  method: "PUT",
  path: `${base}/update/:id`,
  summary: "修改员工",
  beyondVillages: true,
  needs: "46.edit",
  target: "operator",
  params: oneRecord,
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
export const removeAssignment = call({
  method: "DELETE",
  path: `${base}/:id/:roleId/:depid`,
  summary: "移出部门角色",
  needs: "46.edit",
  target: "operator",
  params: oneRecord.extend({
    roleId: z.coerce.number().pipe(f.id),
    depid: z.coerce.number().pipe(f.id),
  }),
  reply: z.object({ id: f.id, state: f.status("状态", STATE_WORDS) }),
});

const switched = (to: "enable" | "disable", summary: string) =>
  call({
    method: "PUT",
    path: `${base}/:id/${to}`,
    summary,
    needs: `46.${to}`,
    target: "operator",
    params: oneRecord,
    body: z.object({ version: f.version }),
    reply: done,
  });
export const enableOperator = switched("enable", "启用员工");
/** Ends every session at once. */
export const disableOperator = switched("disable", "停用员工");

/** A password of the house's making, told once; whoever comes in with it must choose their own. */
export const resetPassword = call({
  method: "PUT",
  path: `${base}/:id/resetPassword`,
  summary: "重置密码",
  needs: "46.edit",
  target: "operator",
  params: oneRecord,
  body: z.object({ version: f.version }),
  reply: z.object({ id: f.id, account: z.string(), password: z.string() }),
});

/** For somebody who has lost the phone and the recovery codes: the password alone lets them in again. Ends every session. */
export const resetSecondFactor = call({
  method: "PUT",
  path: `${base}/:id/resetSecondFactor`,
  summary: "重置两步验证",
  needs: "46.edit",
  target: "operator",
  params: oneRecord,
  body: z.object({ version: f.version }),
  reply: done,
});

/** 实名核验: the identity was checked against the papers; those who sign contracts need it. */
export const updateVerify = call({
  method: "PUT",
  path: `${base}/updateVerify`,
  summary: "更新实名核验",
  needs: "46.edit",
  target: "operator",
  body: z.object({ id: f.id, verified: f.flag("实名核验"), version: f.version }),
  reply: done,
});

/** A token that shows the console as this person sees it, for half an hour, without changing anything. */
export const viewAs = call({
  method: "POST",
  path: `${base}/:id/viewAs`,
  summary: "以其身份查看",
  needs: "46.get",
  target: "operator",
  params: oneRecord,
  reply: z.object({
    id: f.id,
    token: z.string(),
    until: f.instant("至"),
    realName: z.string(),
    phone: f.phone("手机"),
    superType: z.string(),
  }),
});
