import { AMOUNT_MAX, yuan } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Month } from "../../../platform/kernel/day.ts";
import { CODES, INDICATORS, type Code } from "../overview/overview.rules.ts";

/** Every indicator of the dashboard can have a target. */
export const TARGET_CODES = CODES;
export const SOURCES = {
  manual: ["手工", "grey"],
  import: ["导入", "grey"],
  budget: ["预算", "grey"],
} as const satisfies Words;

export const monthsOf = (year: number): Month[] =>
  Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);

/** The sentence against a value, or nothing. Values are fen, shares of one, or whole numbers. */
export function valueRefusal(code: Code, value: number): string | undefined {
  switch (INDICATORS[code].kind) {
    case "rate":
      return value >= 0 && value <= 1 && Math.abs(value * 10_000 - Math.round(value * 10_000)) < 1e-6
        ? undefined
        : "请输入0到100之间的数";
    case "money":
      if (value > AMOUNT_MAX) return "金额过大";
      return Number.isInteger(value) && value >= 0 ? undefined : "金额格式不正确，最多两位小数";
  }
}

/** What somebody typed or pasted: 96, 96%, 294,000.00; empty takes the target away. */
export function typedValue(code: Code, typed: string): { value: number | null } | { msg: string } {
  const text = typed.trim().replace(/%$/, "").replaceAll(",", "");
  if (!text) return { value: null };
  const rate = INDICATORS[code].kind === "rate";
  const wrong = rate ? "请输入0到100之间的数" : "金额格式不正确，最多两位小数";
  if (!/^\d+(\.\d{1,2})?$/.test(text)) return { msg: wrong };
  // two decimals of a percent, or of a yuan, are whole hundredths
  const hundredths = Math.round(Number(text) * 100);
  const value = rate ? hundredths / 10_000 : hundredths;
  const msg = valueRefusal(code, value);
  return msg ? { msg } : { value };
}

/** 96.00%, 294,000.00. */
export const shownValue = (code: Code, value: number | null): string =>
  value === null ? "" : INDICATORS[code].kind === "rate" ? `${(value * 100).toFixed(2)}%` : yuan(value);
/** The same as it is typed. */
export const typeableValue = (code: Code, value: number | null): string =>
  value === null
    ? ""
    : INDICATORS[code].kind === "rate"
      ? String(Math.round(value * 10_000) / 100)
      : yuan(value, false);

/** The year's target of one store: a sum, or the mean of its months. */
export function yearValue(code: Code, values: readonly (number | null)[]): number | null {
  const known = values.filter((v) => v !== null);
  if (!known.length) return null;
  const sum = known.reduce((a, b) => a + b, 0);
  return INDICATORS[code].adds ? sum : sum / known.length;
}

/** A year's amount over twelve months without losing a fen: the first months get the rest. */
export function spread(whole: number, weights: readonly number[]): number[] {
  const all = weights.reduce((a, b) => a + b, 0);
  if (!all) return weights.map(() => 0);
  const exact = weights.map((w) => (whole * w) / all);
  const parts = exact.map(Math.floor);
  let rest = whole - parts.reduce((a, b) => a + b, 0);
  const order = exact
    .map((e, i) => ({ i, part: e - Math.floor(e) }))
    .toSorted((a, b) => b.part - a.part || a.i - b.i);
  for (const { i } of order) {
    if (rest-- <= 0) break;
    parts[i]!++;
  }
  return parts;
}
