import { bankCard } from "../../../platform/kernel/contact.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { maskBank, maskPhone } from "../../../platform/kernel/mask.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { lengthBetween, matches, optional, type Validator } from "../../../platform/kernel/validators.ts";
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
