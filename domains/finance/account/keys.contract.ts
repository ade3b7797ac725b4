import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { optional } from "../../../platform/kernel/validators.ts";
import { KEY_RULES, KEY_TITLES, type KeyName } from "./keys.rules.ts";

const key = (name: KeyName) =>
  f.checked(KEY_TITLES[name], optional(KEY_RULES[name]), { max: 8000, secrecy: "key" }).optional();

/** New keys, and the password of who sets them: hashed as at the log-in. */
export const keysBody = z.object({
  version: f.version,
  apiV3Key: key("apiV3Key"),
  certSerialNo: key("certSerialNo"),
  privateKey: key("privateKey"),
  wechatKeyId: key("wechatKeyId"),
  wechatPublicKey: key("wechatPublicKey"),
  appPrivateKey: key("appPrivateKey"),
  alipayPublicKey: key("alipayPublicKey"),
  /** Goes with the certificate of a WeChat account. */
  certExpiresOn: f.lifeDayInput("证书到期").nullish(),
  password: z
    .string({ error: "请输入登录密码" })
    .regex(/^[0-9a-f]{64}$/, "请输入登录密码")
    .meta({ title: "登录密码", kind: "text", secrecy: "key" }),
});
