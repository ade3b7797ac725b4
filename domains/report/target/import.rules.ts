import type { ImportColumn } from "../../system/import/import.rules.ts";
import { CODES, type Code, INDICATORS, typeableValue, typedValue } from "../indicator/figure.rules.ts";

export const COLUMNS: readonly ImportColumn[] = [
  { title: "门店", key: "village", must: true, note: "门店名称" },
  {
    title: "指标",
    key: "indicator",
    must: true,
    note: CODES.map((code) => INDICATORS[code].title).join("、"),
  },
  { title: "年份", key: "year", must: true, note: "如 2026" },
  ...Array.from({ length: 12 }, (_, i) => ({
    title: `${i + 1}月`,
    key: `m${i + 1}`,
    note: "出租率等写 96 或 96%，金额写元；空白不修改",
  })),
];

export const codeOf = (title: string): Code | undefined =>
  CODES.find((code) => INDICATORS[code].title === title);
export const yearIn = (typed: string): number | undefined =>
  /^20\d\d年?$/.test(typed) ? Number(typed.slice(0, 4)) : undefined;

/**
 * A target as it stands in a cell. A spreadsheet keeps 96% that was typed into a cell of its own format as 0.96: taken
 * as it stands it would be less than one percent, so it is sent back.
 */
export function cellOf(code: Code, typed: string): { value: number | null } | { msg: string } {
  const read = typedValue(code, typed);
  const share = Number(typed.replaceAll(",", ""));
  if (!("msg" in read) && INDICATORS[code].kind === "rate" && share > 0 && share <= 1)
    return { msg: "请写成 96 或 96%，不要写成小数" };
  return read;
}

/** The row of a store's year as the template has it. */
export const rowOf = (
  of: { name: string; code: Code; year: number },
  values: readonly (number | null)[],
): string[] => [
  of.name,
  INDICATORS[of.code].title,
  String(of.year),
  ...values.map((value) => {
    const text = typeableValue(of.code, value);
    return text && INDICATORS[of.code].kind === "rate" ? `${text}%` : text;
  }),
];

/** Percent or yuan, as people read them. */
export const figure = (code: Code, value: number | null): number | null => {
  if (value === null) return null;
  return INDICATORS[code].kind === "rate" ? Math.round(value * 10_000) / 100 : Math.round(value) / 100;
};
