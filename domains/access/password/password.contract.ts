import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { mobile } from "../../../platform/kernel/texts/contact.ts";
import { checked, remark, secret } from "../../../platform/kernel/field.ts";
import { password } from "../../../platform/kernel/texts/password.ts";

const operators = callsAt("/system/api/v3/operator", "operator");

const code = secret(
  z.string({ error: "请输入短信验证码" }).trim().min(1, "请输入短信验证码").max(6, "短信验证码错误或已失效"),
);
const phone = checked("手机", mobile);
/** Sent as it is typed, over TLS: the server itself judges it. */
const newPassword = checked("密码", password, { keepSpaces: true, secrecy: "key" });

/** Sets a new password with a code that was sent to the phone on file. Ends every session and lifts a lock. */
export const forgetPassword = callsAt("/system/api/v4/login/forgetPassword", "operator").post(
  "",
  "找回密码",
  "public",
  {
    perMinute: 20,
    body: z.object({ phone, code, password: newPassword }),
    reply: z.null(),
  },
);

/** One's own new password. The session that sets it stays, all others end. */
export const updatePassword = operators.put("/updatePassword", "修改密码", "login", {
  beforeOwnPassword: true,
  perMinute: 20,
  body: z.object({ phone, code, password: newPassword }),
  reply: z.null(),
});

/** In place of a code: whoever was given a password by an administrator, and signed in with it, sets their own. */
export const replaceGivenPassword = operators.put("/replacePassword", "首次登录修改密码", "login", {
  beforeOwnPassword: true,
  perMinute: 20,
  body: z.object({ password: newPassword }),
  reply: z.null(),
});

/** One's own new phone, with a code sent to it and the password (hashed as at the log-in). Ends every session. */
export const updateInfo = callsAt("/system/api/v3/login/updateInfo", "operator").put(
  "",
  "修改手机号",
  "login",
  {
    perMinute: 20,
    body: z.object({
      code,
      name: remark("姓名", 20).optional(),
      newPhone: phone,
      password: secret(z.string({ error: "请输入密码" }).regex(/^[0-9a-f]{64}$/, "请输入密码")),
    }),
    reply: z.null(),
  },
);
