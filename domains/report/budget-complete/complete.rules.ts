import { plainWords } from "../../../platform/kernel/field.ts";
import type { Month } from "../../../platform/kernel/day.ts";
import { MONTHS } from "../budget-indicator/value.rules.ts";

export const MONTH_WORDS = plainWords(
  Object.fromEntries(MONTHS.map((m) => [String(m), `${m} 月`])) as Record<string, string>,
);

/** A month, a quarter or the whole year. */
export const PERIODS = plainWords({
  ...Object.fromEntries(MONTHS.map((m) => [`m${m}`, `${m} 月`])),
  q1: "一季度",
  q2: "二季度",
  q3: "三季度",
  q4: "四季度",
  year: "全年",
} as Record<string, string>);

export const monthIn = (year: number, month: number): Month => `${year}-${String(month).padStart(2, "0")}`;

export function monthsOfPeriod(period: string): number[] {
  if (period === "year") return [...MONTHS];
  const n = Number(period.slice(1));
  return period.startsWith("q") ? [n * 3 - 2, n * 3 - 1, n * 3] : [n];
}
