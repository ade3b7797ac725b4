import { z } from "zod";
import { ACTIONS } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { id, secret, worded } from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const logins = callsAt("/system/api/v4/login", "operator");

const idEntry = z.object({ id: z.number().int() });

export const getImage = logins.get("/getImage", "获取图形验证码", "public", { perMinute: 120 });

export const login = logins.post("", "登录", "public", {
  perMinute: 60,
  body: z.object({
    account: worded(
      "credential",
      z.string({ error: "请输入账号" }).trim().min(1, "请输入账号").max(30, "请输入账号"),
    ),
    /** SHA-256 hex of the password, once or twice as the brand says. */
    password: secret(z.string({ error: "请输入密码" }).regex(/^[0-9a-f]{64}$/, "请输入密码")),
    imageCode: secret(z.string().trim().max(10)).optional(),
    imageCodeKey: secret(z.string().max(64)).optional(),
    /** Of whoever has a second factor: a code of the app, or a recovery code. */
    dynamicCode: secret(z.string().trim().max(20)).optional(),
  }),
  reply: z.object({
    id,
    operatorId: id,
    token: z.string(),
    realName: z.string(),
    phone: z.string(),
    superType: z.string(),
    mustChangePassword: z.boolean(),
    firstFuncList: z.array(idEntry),
    secFuncList: z.array(idEntry),
    authorityList: z.array(z.number().int()),
  }),
});

export const logout = logins.post("/logout", "退出登录", "login", {
  beforeOwnPassword: true,
  beforeSecondFactor: true,
  whileViewing: true,
  target: "session",
  reply: z.null(),
});

export const userInfo = callsAt("/user/info").get("", "当前用户信息", "login", {
  beforeOwnPassword: true,
  beforeSecondFactor: true,
  reply: z.object({
    operatorId: id,
    name: z.string(),
    avatar: z.string(),
    phone: z.string(),
    superType: z.string(),
    villageCount: z.number().int(),
    /** An administrator set the password: nothing else is done before it is replaced. */
    mustChangePassword: z.boolean(),
    /** The enterprise demands a second factor that is not on yet: nothing else is done before. */
    mustEnrol: z.boolean(),
    firstFuncList: z.array(idEntry),
    secFuncList: z.array(idEntry),
    authorities: z.array(z.number().int()),
    today: z.string(),
    /** Set while an administrator looks on as this person. */
    viewAs: z.object({ by: z.string(), until: z.string() }).nullable(),
    /** What people changed of menus and pages: names, order, what is hidden, links to elsewhere. */
    menu: z.array(
      z.object({
        code: z.number().int(),
        parentCode: z.number().int(),
        href: z.string().nullable(),
        releasedName: z.string(),
        name: z.string(),
        icon: z.string(),
        hidden: z.boolean(),
        place: z.number().int().nullable(),
      }),
    ),
    role: z.object({
      permissions: z.array(
        z.object({
          permissionId: z.number().int(),
          actionEntitySet: z.array(z.object({ action: z.enum(ACTIONS) })).optional(),
        }),
      ),
    }),
  }),
});

const loginSessions = callsAt("/system/api/v3/loginSession", "session");

/** Who is signed in: one's own sessions, and with 46.get those of everybody in the enterprise. */
export const listSessions = loginSessions.get("", "在线会话", "login", {
  query: pageQuery("createdAt", "lastSeenAt").extend({
    operatorId: z.coerce.number().pipe(f.id).optional(),
    keyword: filter.keyword("账号、姓名、地址"),
  }),
  reply: pageReply(
    z.object({
      id: f.id,
      operatorId: f.id,
      realName: f.person("员工"),
      account: f.text("账号"),
      createdAt: f.instant("登录时间"),
      ip: f.text("地址"),
      device: f.text("终端"),
      lastSeenAt: f.instant("最近操作").nullable(),
      expiresAt: f.instant("到期时间"),
      /** Who looks on, in a session that only reads. */
      viewer: f.text("查看人"),
      mine: f.flag("当前会话"),
    }),
  ),
});

/** 强制下线: the next call of that session gets 401. One's own, or with 46.edit anybody's. */
export const endSession = loginSessions.delete("/:id", "结束会话", "login", { reply: z.null() });
