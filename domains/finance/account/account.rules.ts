import { bankCard } from "../../../platform/kernel/texts/contact.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { maskBank, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { type Validator, lengthBetween, matches, optional } from "../../../platform/kernel/validators.ts";
import type { AccountKind } from "./channel.rules.ts";

export const ACCOUNT_STATE: Words<"enabled" | "disabled"> = {
  enabled: ["启用", "green"],
  disabled: ["停用", "grey"],
};
export const STATEMENT_MODE: Words<"claim" | "reconcile"> = {
  claim: ["认领", "grey"],
  reconcile: ["对账", "grey"],
};
/** How the takings of a POS reach the bank. */
export const HANDOVER: Words<"true" | "false"> = { false: ["自动结算", "grey"], true: ["缴款", "grey"] };
export const HOLDER: Words<"head" | "village"> = { head: ["公司本部", "grey"], village: ["门店", "grey"] };
export const HEAD = HOLDER.head[0];

export const APP_TERMINALS = { miniProgram: "小程序", h5: "公众号（H5）", app: "App" } as const;
export type AppId = { terminal: keyof typeof APP_TERMINALS; appId: string };

const appId = matches(/^wx[0-9a-f]{16}$/, "AppID为wx开头的18位字母和数字");
const wechatNo = matches(/^\d{8,10}$/, "微信商户号为8-10位数字");
const cardNo: Validator = (value) => (bankCard(value) ? "请输入正确的银行账号" : undefined);
const merchantNo = matches(/^[A-Za-z0-9]{1,32}$/, "请输入正确的商户号");

/** Texts that only some kinds have, with the rule of each; what a kind does not name is left empty. */
const TEXTS: Record<AccountKind, Partial<Record<Text, Validator>>> = {
  wechat: { mchId: wechatNo, subMchId: optional(wechatNo) },
  alipay: { mchId: matches(/^2088\d{12}$/, "支付宝PID为2088开头的16位数字") },
  unionpay: { mchId: merchantNo, terminalNo: optional(matches(/^[A-Za-z0-9]{1,20}$/, "请输入正确的终端号")) },
  pos: { mchId: merchantNo, terminalNo: optional(matches(/^[A-Za-z0-9]{1,20}$/, "请输入正确的终端号")) },
  bank: {
    bankName: lengthBetween(2, 50, "开户行长度为2到50个字"),
    accountName: lengthBetween(2, 50, "户名长度为2到50个字"),
    bankAccountNo: cardNo,
  },
  cash: {},
  till: {},
};
type Text = "mchId" | "subMchId" | "terminalNo" | "bankName" | "accountName" | "bankAccountNo";
export const TEXT_FIELDS = [
  "mchId",
  "subMchId",
  "terminalNo",
  "bankName",
  "accountName",
  "bankAccountNo",
] as const satisfies readonly Text[];

type More = "appIds" | "certExpiresOn" | "handover" | "fee" | "settling";
const MORE: Record<AccountKind, readonly More[]> = {
  wechat: ["appIds", "certExpiresOn", "fee", "settling"],
  alipay: ["fee", "settling"],
  unionpay: ["handover", "fee", "settling"],
  pos: ["handover", "fee", "settling"],
  bank: ["fee"],
  cash: [],
  till: [],
};
/** Does an account of this kind have the field? */
export const hasField = (kind: AccountKind | undefined, field: Text | More): boolean =>
  kind !== undefined && (field in TEXTS[kind] || (MORE[kind] as readonly string[]).includes(field));

/** What the form calls a text of this kind. */
export const textTitle = (kind: AccountKind | undefined): string =>
  kind === "alipay" ? "支付宝PID" : "商户号";

export type KindGiven = Partial<Record<Text, string>> & {
  kind: AccountKind;
  appIds?: readonly AppId[] | undefined;
  statementMode?: string | undefined;
};
/** Every field that is judged by the kind. */
export const RULED_FIELDS = [...TEXT_FIELDS, "appIds", "statementMode"] as const;
/** Every wrong field of an account, judged by its kind. */
export function wrongOf(given: KindGiven): FieldError[] {
  const wrong = Object.entries(TEXTS[given.kind]).flatMap(([field, rule]) => {
    const msg = rule(given[field as Text] ?? "");
    return msg ? [{ field, msg }] : [];
  });
  const ids = hasField(given.kind, "appIds") ? (given.appIds ?? []) : [];
  const bad = ids.map((a) => optional(appId)(a.appId)).find(Boolean);
  const twice = new Set(ids.map((a) => a.terminal)).size < ids.length && "同一终端只能填写一个AppID";
  if (bad || twice) wrong.push({ field: "appIds", msg: bad || (twice as string) });
  if (given.kind === "bank" && !given.statementMode)
    wrong.push({ field: "statementMode", msg: "请选择对账方式" });
  return wrong;
}

/** 160****001, 6222****1234: the middle of a number never shows in a list. */
export const maskedNumber = (number: string): string =>
  number.length > 11 ? maskBank(number) : maskPhone(number);

/** Of a rate of at most 5% with four decimals of a percent. */
export const isRate = (rate: number): boolean =>
  rate >= 0 && rate <= 0.05 && Number.isInteger(Number((rate * 1e6).toPrecision(12)));

/** 0.006 → 0.6%, with as many decimals as it has. */
export const rateText = (rate: number): string => `${Number((rate * 100).toPrecision(12))}%`;

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
