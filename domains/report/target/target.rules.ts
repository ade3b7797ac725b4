import { greys } from "../../../platform/kernel/words.ts";
import type { Month } from "../../../platform/kernel/day.ts";
import { CODES, type Code, INDICATORS } from "../indicator/figure.rules.ts";

/** Every indicator of the dashboard can have a target. */
export const TARGET_CODES = CODES;

export const SOURCES = greys({ manual: "手工", import: "导入", budget: "预算" });

export const monthsOf = (year: number): Month[] =>
  Array.from({ length: 12 }, (_, i) => `${year}-${String(i + 1).padStart(2, "0")}`);

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
