import { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import { whole } from "../../../platform/kernel/field.ts";

/** Default late-fee terms; a contract copies them and then keeps its own. Rate and cap are shares. */
export type LateFeeTerms = { graceDays: number; lateFeeRate: string; lateFeeCap: string };
export const LATE_FEE_TERMS: LateFeeTerms = { graceDays: 3, lateFeeRate: "0.0005", lateFeeCap: "1" };

const PERCENT = "请输入0到100之间的整数";

/** The three as people write them, rate and cap in percent. They stand in the contract defaults and nowhere else. */
export const lateFeeFields = z.object({
  graceDays: whole("宽限天数", 0, 60, { unit: "天" }),
  lateFeeDailyRate: z
    .string({ error: "请输入日利率" })
    .regex(/^(0(\.\d{1,4})?|1(\.0{1,4})?)$/, "请输入0到1之间的数值，最多四位小数")
    .meta({ title: "日利率", kind: "text", decimal: true, unit: "%/天" }),
  lateFeeCapPercent: z
    .number({ error: PERCENT })
    .int(PERCENT)
    .min(0, PERCENT)
    .max(100, "滞纳金上限不能超过本金")
    .meta({ title: "上限", kind: "number", unit: "% 本金" }),
});
export type LateFeeFields = z.output<typeof lateFeeFields>;
export const LATE_FEE_FIELDS: LateFeeFields = {
  graceDays: LATE_FEE_TERMS.graceDays,
  lateFeeDailyRate: "0.05",
  lateFeeCapPercent: 100,
};

/** Above 0.1% a day a court is likely to cut the fee down: a warning, no refusal. */
export const rateWarning = (percent: string | undefined): string | undefined =>
  Number(percent) > 0.1 ? "超过常见上限，请确认合同约定" : undefined;

/** Late-fee terms that begin on a later day than they were set. */
export type ComingTerms = { from: Day; terms: Partial<LateFeeFields> };

/** Default terms as they hold on a day: what was to come and has begun by then lies over them. */
export function termsOn<T extends object>(terms: T, coming: readonly ComingTerms[], day: Day): T {
  const begun = coming.filter((c) => c.from <= day).toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return Object.assign({}, terms, ...begun.map((c) => c.terms));
}

const shareOf = (percent: string | number) =>
  String(halfUp(times(decimal(String(percent)), ratio(10_000))) / 1_000_000);

/** The three out of a village's default terms; a field that is missing or does not fit is the product's. */
export function lateFeeFieldsOf(terms: unknown): LateFeeFields {
  const given = (terms ?? {}) as Record<string, unknown>;
  const fit = Object.entries(lateFeeFields.shape).flatMap(([key, field]) => {
    const { success, data } = field.safeParse(given[key]);
    return success ? [[key, data] as const] : [];
  });
  return { ...LATE_FEE_FIELDS, ...Object.fromEntries(fit) };
}

/** As a bill keeps them: 0.05 percent a day is "0.0005". */
export const asShares = (fields: LateFeeFields): LateFeeTerms => ({
  graceDays: fields.graceDays,
  lateFeeRate: shareOf(fields.lateFeeDailyRate),
  lateFeeCap: shareOf(fields.lateFeeCapPercent),
});
