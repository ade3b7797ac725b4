import type { FieldError } from "../../../platform/kernel/refusal.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { matches, type Validator } from "../../../platform/kernel/validators.ts";
import type { AccountKind } from "./channel.rules.ts";

export type KeyName =
  | "apiV3Key"
  | "certSerialNo"
  | "privateKey"
  | "wechatKeyId"
  | "wechatPublicKey"
  | "appPrivateKey"
  | "alipayPublicKey";
export const KEY_TITLES: Record<KeyName, string> = {
  apiV3Key: "APIv3密钥",
  certSerialNo: "证书序列号",
  privateKey: "私钥文件",
  wechatKeyId: "微信支付公钥ID",
  wechatPublicKey: "微信支付公钥",
  appPrivateKey: "应用私钥",
  alipayPublicKey: "支付宝公钥",
};
const NEEDED: Partial<Record<AccountKind, readonly KeyName[]>> = {
  wechat: ["apiV3Key", "certSerialNo", "privateKey"],
  alipay: ["appPrivateKey", "alipayPublicKey"],
};
/** The keys that an account of a kind needs before it can take money by itself. */
export const keysOf = (kind: AccountKind): readonly KeyName[] => NEEDED[kind] ?? [];
/** Merchants opened since 2024 verify by a public key of WeChat Pay; others by the certificates that it hands out. */
const EXTRA: Partial<Record<AccountKind, readonly KeyName[]>> = {
  wechat: ["wechatKeyId", "wechatPublicKey"],
};
export const extraKeysOf = (kind: AccountKind): readonly KeyName[] => EXTRA[kind] ?? [];

export type KeyState = "set" | "part" | "missing" | "none";
export const KEY_STATE: Words<KeyState> = {
  set: ["已设置", "green"],
  part: ["未设全", "gold"],
  missing: ["未设置", "gold"],
  none: ["不需要", "grey"],
};
export const keyState = (kind: AccountKind, set: number): KeyState => {
  const needed = keysOf(kind).length;
  return !needed ? "none" : set >= needed ? "set" : set ? "part" : "missing";
};

const BASE64 = /^[A-Za-z0-9+/=\s]{200,8000}$/;
const pem = (what: string, inside: RegExp): Validator => {
  const block = new RegExp(
    `^-----BEGIN ${inside.source}-----[A-Za-z0-9+/=\\s]+-----END ${inside.source}-----$`,
  );
  return (value) => (block.test(value.trim()) ? undefined : what);
};
const either =
  (a: Validator, b: Validator): Validator =>
  (value) =>
    a(value) && b(value);
const plain = (what: string) => matches(BASE64, what);

const WRONG_PRIVATE = "应用私钥格式不正确";
const WRONG_PUBLIC = "支付宝公钥格式不正确";
export const KEY_RULES: Record<KeyName, Validator> = {
  apiV3Key: matches(/^[A-Za-z0-9]{32}$/, "APIv3密钥为32位字母和数字"),
  certSerialNo: matches(/^[0-9A-Fa-f]{16,40}$/, "证书序列号为16-40位的十六进制字符"),
  privateKey: pem("请选择PEM格式的私钥文件", /(?:RSA )?PRIVATE KEY/),
  wechatKeyId: matches(/^PUB_KEY_ID_[0-9A-Za-z]{8,60}$/, "微信支付公钥ID以PUB_KEY_ID_开头"),
  wechatPublicKey: pem("请粘贴PEM格式的微信支付公钥", /PUBLIC KEY/),
  appPrivateKey: either(plain(WRONG_PRIVATE), pem(WRONG_PRIVATE, /(?:RSA )?PRIVATE KEY/)),
  alipayPublicKey: either(plain(WRONG_PUBLIC), pem(WRONG_PUBLIC, /PUBLIC KEY/)),
};

export type KeysGiven = Partial<Record<KeyName, string | undefined>>;

/** Every wrong field of new keys: the first time all are needed, later the given ones replace what is there. */
export function wrongKeys(kind: AccountKind, given: KeysGiven, set: ReadonlySet<string>): FieldError[] {
  const needed = keysOf(kind);
  const names = (Object.keys(KEY_TITLES) as KeyName[]).filter((name) => given[name]);
  const alien = names.filter((name) => ![...needed, ...extraKeysOf(kind)].includes(name));
  if (alien.length) return alien.map((field) => ({ field, msg: `该类型账户没有${KEY_TITLES[field]}` }));
  const missing = needed.filter((name) => !set.has(name) && !given[name]);
  if (missing.length) return missing.map((field) => ({ field, msg: `请提供${KEY_TITLES[field]}` }));
  if (!names.length) return [{ field: needed[0] ?? "password", msg: "请至少更换一项密钥" }];
  if (Boolean(given.wechatKeyId) !== Boolean(given.wechatPublicKey))
    return [
      { field: given.wechatKeyId ? "wechatPublicKey" : "wechatKeyId", msg: "微信支付公钥与公钥ID须一起填写" },
    ];
  // a certificate and its private key are a pair
  if (Boolean(given.certSerialNo) !== Boolean(given.privateKey))
    return [
      { field: given.certSerialNo ? "privateKey" : "certSerialNo", msg: "证书序列号与私钥文件须一起更换" },
    ];
  return [];
}
