import { z } from "zod";
import { ACTIONS, call } from "../../../platform/kernel/call.ts";
import { id, secret, worded } from "../../../platform/kernel/field.ts";

const idEntry = z.object({ id: z.number().int() });

export const getImage = call({
  method: "GET",
  path: "/system/api/v4/login/getImage",
  summary: "获取图形验证码",
  needs: "public",
  perMinute: 120,
});

export const login = call({
  method: "POST",
  path: "/system/api/v4/login",
  summary: "登录",
  needs: "public",
  target: "operator",
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

export const logout = call({
  method: "POST",
  path: "/system/api/v4/login/logout",
  summary: "退出登录",
  needs: "login",
  beforeOwnPassword: true,
  beforeSecondFactor: true,
  whileViewing: true,
  target: "session",
  reply: z.null(),
});

export const userInfo = call({
  method: "GET",
  path: "/user/info",
  summary: "当前用户信息",
  needs: "login",
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
