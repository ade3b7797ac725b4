import { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import {
  type Words,
  amount,
  choice,
  flag,
  metaOf,
  tags,
  token,
  whole,
} from "../../../platform/kernel/field.ts";
import { CHANNELS } from "../account/channel.rules.ts";

/** Keys of the allocation order, most important first. */
export const ORDER_KEYS = ["due", "principalFirst", "priority"] as const;
export type OrderKey = (typeof ORDER_KEYS)[number];
export const ORDER_WORDS: Words<OrderKey> = {
  due: ["应收日早的先付", "grey"],
  principalFirst: ["本金先于滞纳金", "grey"],
  priority: ["科目优先级", "grey"],
};

/** What pays first when a contract's account is closed. */
export const SETOFF_WORDS = {
  depositFirst: ["押金→预存款", "grey"],
  prepaidFirst: ["预存款→押金", "grey"],
} as const satisfies Words;
export type SetoffOrder = keyof typeof SETOFF_WORDS;

export const FREEZE_WORDS = {
  onPayment: ["收款时入账", "grey"],
  monthly: ["每月1日入账", "grey"],
} as const satisfies Words;

export const RECOGNITION_WORDS = {
  byLine: ["按账期", "grey"],
  straightLine: ["直线法", "grey"],
} as const satisfies Words;
export const TAX_POINT_WORDS = {
  invoice: ["开票", "grey"],
  invoiceOrReceipt: ["开票或收款", "grey"],
  invoiceOrAccrual: ["开票或确认收入", "grey"],
} as const satisfies Words;
export type TaxPoint = keyof typeof TAX_POINT_WORDS;

const { corporate: _claimed, till: _told, ...CONFIRMED } = CHANNELS;
/** Channels of receipts booked by hand: what a bank statement brings is confirmed by being claimed. */
export const CONFIRM_WORDS = CONFIRMED;

const ordered = z
  .array(z.enum(ORDER_KEYS))
  .length(ORDER_KEYS.length, "分摊顺序须包含三项且不重复")
  .refine((keys) => new Set(keys).size === keys.length, "分摊顺序须包含三项且不重复")
  .meta({ title: "分摊顺序", kind: "tags", words: ORDER_WORDS });

/** Billing settings: labels, ranges and sentences of every field. A field is here only if something obeys it. */
export const billingFields = z.object({
  issueLeadDays: whole("出账提前天数", 0, 60, { unit: "天" }),
  payOrderMinutes: whole("收款码有效期", 5, 120, { unit: "分钟" }),
  autoUsePrepaid: flag("预存款自动抵扣"),
  writeOffMinDays: whole("坏账核销最少逾期", 0, 365, { unit: "天" }),
  /** Fen; more than that is not given back in cash. */
  cashRefundLimit: amount("现金退款上限", 0),
  cashSubmitDays: whole("现金缴款期限", 0, 7, { unit: "个工作日" }),
  /** Fen in a cash box from which its store is told; 0 = never. */
  cashLimit: amount("现金箱上限", 0),
  /** Days between a hand-over and the bank line that it may be. */
  matchWindowDays: whole("银行流水匹配范围", 0, 10, { unit: "天" }),
  allocationOrder: ordered,
  /** At a settlement: what pays first what is open. */
  setoffOrder: choice("退房抵扣顺序", SETOFF_WORDS),
  lateFeeEnabled: flag("计收滞纳金"),
  /** Codes of the subjects that bear a late fee; null = every subject of kind income. */
  lateFeeSubjects: z
    .array(token(20))
    .min(1, "请选择适用科目")
    .max(500)
    .nullable()
    .meta({ title: "适用科目", kind: "tags" }),
  lateFeeFreeze: choice("入账时点", FREEZE_WORDS),
  /** Fen; a smaller late fee is not frozen. */
  lateFeeMin: amount("起计金额", 0),
  lateFeePauseOnDispute: flag("争议期间暂停"),
  /** Channels whose receipts wait for a second person. */
  confirmChannels: tags("收款需复核的渠道", CONFIRM_WORDS),
  /** How the rent of contracts signed from then on becomes income. */
  recognition: choice("收入确认", RECOGNITION_WORDS),
  /** What makes the tax of a line due. */
  taxPoint: choice("纳税时点", TAX_POINT_WORDS),
});
export type BillingSetting = z.output<typeof billingFields>;
export type SettingKey = keyof BillingSetting;
export const SETTING_KEYS = Object.keys(billingFields.shape) as [SettingKey, ...SettingKey[]];

/** What holds where nobody has set anything. */
export const BILLING_DEFAULTS: BillingSetting = {
  issueLeadDays: 0,
  payOrderMinutes: 30,
  autoUsePrepaid: true,
  writeOffMinDays: 90,
  cashRefundLimit: 50_000,
  cashSubmitDays: 1,
  cashLimit: 0,
  matchWindowDays: 3,
  allocationOrder: [...ORDER_KEYS],
  setoffOrder: "depositFirst",
  lateFeeEnabled: true,
  lateFeeSubjects: null,
  lateFeeFreeze: "onPayment",
  lateFeeMin: 0,
  lateFeePauseOnDispute: true,
  confirmChannels: ["bankTransfer"],
  recognition: "byLine",
  taxPoint: "invoice",
};

/** Whose value holds in a field. */
export const SETTING_ORIGINS = {
  village: ["门店设置", "grey"],
  enterprise: ["企业设置", "grey"],
  product: ["产品默认", "grey"],
} as const satisfies Words;
export type SettingOrigin = keyof typeof SETTING_ORIGINS;

/** One change of an owner, an enterprise or a village: the fields it set and those it gave back. */
export type SettingChange = { setting: Record<string, unknown>; follows: readonly string[] };

/** The fields that are an owner's own after some changes, in order of their days. */
export function ownFields(changes: readonly SettingChange[]): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const { setting, follows } of changes) {
    for (const key of follows) delete own[key];
    Object.assign(own, setting);
  }
  return own;
}

/** Later layers win field by field: product, enterprise, village. A field that no longer fits falls back. */
export function effective(...layers: readonly unknown[]): BillingSetting {
  const merged: Record<string, unknown> = { ...BILLING_DEFAULTS };
  for (const layer of layers)
    for (const [key, value] of Object.entries((layer ?? {}) as Record<string, unknown>)) {
      const field = billingFields.shape[key as SettingKey];
      if (field?.safeParse(value).success) merged[key] = value;
    }
  return merged as BillingSetting;
}

/** A value as the log and the console say it. `subject` names a fee subject by its code. */
export function settingText(
  key: SettingKey,
  value: unknown,
  subject: (code: string) => string = (code) => code,
): string {
  const { unit = "", words = {}, kind } = metaOf(billingFields.shape[key]) ?? {};
  const word = (code: unknown) => (words as Words)[String(code)]?.[0] ?? String(code);
  if (key === "lateFeeSubjects")
    return value === null ? "全部收入类科目" : (value as string[]).map(subject).join("、");
  if (key === "allocationOrder") return (value as string[]).map(word).join("＞");
  if (Array.isArray(value)) return value.length ? value.map(word).join("、") : "无";
  if (typeof value === "boolean") return value ? "是" : "否";
  if (kind === "money") return `${yuan(Number(value))} 元`;
  return unit ? `${Number(value)} ${unit}` : word(value);
}
