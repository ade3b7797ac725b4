import { halfUp, ratio, type Fen } from "../../../platform/kernel/fen.ts";
import { type Words, plainWords } from "../../../platform/kernel/field.ts";

export const PRODUCT_STATES = {
  enabled: ["启用", "green"],
  disabled: ["停用", "grey"],
} as const satisfies Words;

/** A way of paying that a product offers; payMonths 0 is the whole term at once. */
export type PayPlan = { depositMonths: number; payMonths: number; adjustPercent: number; default: boolean };

export const PAY_MONTHS = [1, 2, 3, 6, 12, 0] as const;
export const FEE_CYCLES = plainWords({ month: "每月", period: "随租金", once: "一次性" });
export const FEE_WAYS = plainWords({ amount: "定额", unit: "单价" });

const COUNT = ["零", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"];

/** 押一付三; the whole term at once is 押一付全期. */
export const payPlanText = ({ depositMonths, payMonths }: Omit<PayPlan, "adjustPercent" | "default">) =>
  `押${COUNT[depositMonths] ?? depositMonths}付${payMonths ? (COUNT[payMonths] ?? payMonths) : "全期"}`;

/** The rent that a plan results in: the list price plus or minus its percent, of two decimals at most, rounded half up to fen. */
export const planRent = (listPrice: Fen, adjustPercent: number): Fen =>
  halfUp(ratio(BigInt(listPrice) * BigInt(10_000 + Math.round(adjustPercent * 100)), 10_000));

/** What is wrong with the plans as a whole. */
export function plansWrong(plans: readonly PayPlan[]): string | undefined {
  if (plans.filter((plan) => plan.default).length !== 1) return "请选择一个默认付款方式";
  const names = plans.map(payPlanText);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  return twice && `付款方式“${twice}”重复`;
}

/** Why a product cannot be deleted; `rooms` counts also those that are out of stock. */
export const undeletable = (rooms: number): string | undefined =>
  rooms ? `该产品下有 ${rooms} 间房，不能删除` : undefined;
