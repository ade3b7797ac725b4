import { all, matches } from "./validators.ts";
import type { Validator } from "./validators.ts";
import { AMOUNT_MAX, parseYuan } from "./fen.ts";

const WHOLE = /^(0|[1-9]\d*)$/;
const isWhole = (value: string) => WHOLE.test(value) && Number.isSafeInteger(Number(value));
const isSigned = (value: string) => value !== "-0" && isWhole(value.replace(/^-/, ""));

export const integer: Validator = (value) => (isSigned(value) ? undefined : "请输入整数");
export const nonZeroInteger: Validator = (value) =>
  isSigned(value) && value !== "0" ? undefined : "请输入非零整数";
export const positiveInteger: Validator = (value) =>
  isWhole(value) && value !== "0" ? undefined : "请输入正整数";
export const nonNegativeInteger: Validator = (value) => (isWhole(value) ? undefined : "请输入非负整数");

/** What is said of a number outside a range of integers, typed or chosen. */
export const notBetween = (min: number, max: number): string => `请输入${min}到${max}之间的整数`;
export const integerBetween =
  (min: number, max: number): Validator =>
  (value) =>
    isSigned(value) && Number(value) >= min && Number(value) <= max ? undefined : notBetween(min, max);
export const upTo10 = integerBetween(1, 10);
export const upTo50 = integerBetween(1, 50);
export const upTo60 = integerBetween(1, 60);
export const upTo99 = integerBetween(1, 99);
export const upTo100 = integerBetween(1, 100);
export const upTo365 = integerBetween(1, 365);
export const upTo1000 = integerBetween(1, 1000);

/** 0.1 to 9.9 in tenths. */
export const tenths: Validator = (value) =>
  /^[0-9](\.\d)?$/.test(value) && Number(value) >= 0.1 ? undefined : "请输入0.1到9.9之间的数（最多一位小数）";

const PLACES = { 1: "一", 2: "两", 4: "四" } as const;

/** Typed yuan with at most `decimals` decimals and at most 99999999.99. */
function amountWith(decimals: keyof typeof PLACES, signed = false): Validator {
  const grammar = new RegExp(`^${signed ? "-?" : ""}(0|[1-9]\\d*)(\\.\\d{1,${decimals}})?$`);
  return all(matches(grammar, `请输入正确的金额（最多${PLACES[decimals]}位小数）`), (value) =>
    Math.abs(Number(value)) > AMOUNT_MAX / 100 ? "金额过大" : undefined,
  );
}
/** 0 to 2 decimals. */
export const amountText = amountWith(2);
export const amountText1 = amountWith(1);
export const amountText4 = amountWith(4);
export const signedAmountText = amountWith(2, true);
export const positiveAmountText = all(signedAmountText, (value) =>
  parseYuan(value) > 0 ? undefined : "金额必须大于0",
);

/** Square metres, 0.01 to 999999.99. */
export const area: Validator = (value) =>
  /^(0|[1-9]\d{0,5})(\.\d{1,2})?$/.test(value) && Number(value) > 0 ? undefined : "面积格式不正确";
