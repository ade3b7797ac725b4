import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { flag, id, instant, number, secret } from "../../../platform/kernel/field.ts";
const secondFactors = callsAt("/system/api/v3/login/secondFactor", "operator");
const EMPTY = "请输入动态验证码";
const code = secret(z.string({ error: EMPTY }).trim().min(1, EMPTY).max(20, "动态验证码为6位数字"));
const done = z.object({ id });

export const readSecondFactor = secondFactors.get("", "本人的两步验证", "login", {
  reply: z.object({
    on: flag("两步验证"),
    since: instant("开启时间").nullable(),
    recoveryCodes: number("剩余恢复码"),
    required: flag("企业要求"),
  }),
});

/** A secret for the app, with the password (hashed as at the log-in). It counts once a code of it came back. */
export const beginSecondFactor = secondFactors.post("", "绑定两步验证", "login", {
  beforeSecondFactor: true,
  perMinute: 20,
  body: z.object({
    password: secret(z.string({ error: "请输入登录密码" }).regex(/^[0-9a-f]{64}$/, "请输入登录密码")),
  }),
  reply: z.object({ id, secret: z.string(), uri: z.string() }),
});

/** The first code switches it on. The recovery codes are told here and nowhere again; all other sessions end. */
export const confirmSecondFactor = secondFactors.put("", "开启两步验证", "login", {
  beforeSecondFactor: true,
  perMinute: 20,
  body: z.object({ code }),
  reply: z.object({ id, recoveryCodes: z.array(z.string()) }),
});

/** With a code of the app or a recovery code. */
export const endSecondFactor = secondFactors.put("/off", "关闭两步验证", "login", {
  perMinute: 20,
  body: z.object({ code }),
  reply: done,
});

const enterprises = callsAt("/system/api/v3/enterprise/secondFactor", "enterprise");

export const readRequirement = enterprises.get("", "企业的两步验证要求", "46.edit", {
  reply: z.object({ required: flag("要求两步验证"), without: number("尚未开启的员工") }),
});

/** Whoever has none is held by the server until they have switched it on. */
export const requireSecondFactor = enterprises.put("", "设置企业的两步验证要求", "46.edit", {
  body: z.object({ required: flag("要求两步验证") }),
  reply: done,
});
