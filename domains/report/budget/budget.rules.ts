import type { Words } from "../../../platform/kernel/field.ts";
import { plainWords } from "../../../platform/kernel/field.ts";
import { halfUp, ratio, share } from "../../../platform/kernel/fen.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import type { Basis, Indicator, Measure } from "../budget-indicator/source.rules.ts";
import { MONTHS } from "../budget-indicator/value.rules.ts";
import type { Code } from "../indicator/figure.rules.ts";

export const BUDGET_STATE = {
  draft: ["草稿", "gold"],
  approving: ["审批中", "blue"],
  inForce: ["生效", "green"],
  superseded: ["已替换", "grey"],
} as const satisfies Words;
export type BudgetState = keyof typeof BUDGET_STATE;

const NAMES = Object.fromEntries(
  Object.entries(BUDGET_STATE).map(([key, [title]]) => [key, title]),
) as Record<BudgetState, string>;

export const ONLY_DRAFT = "仅草稿可编辑";

export const BUDGET_MOVES = moves<BudgetState, { openId: number | null }>(NAMES)({
  submit: { label: "提交审批", from: ["draft"], to: "approving" },
  approve: { label: "通过", from: ["draft", "approving"], to: "inForce" },
  withdraw: { label: "撤回", from: ["approving"], to: "draft" },
  supersede: { label: "替换", from: ["inForce"], to: "superseded" },
  delete: { label: "删除", from: ["draft"], to: "draft" },
  renew: {
    label: "新建版本",
    from: ["inForce"],
    to: "inForce",
    unless: ({ openId }) => openId !== null && "该门店该年度已有草稿版本",
  },
});

export const FROM = plainWords({ blank: "空白", copy: "复制上年预算", actual: "上年实际" });

/** Years that a budget may be of. */
export const YEARS = plainWords(
  Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${2020 + i}`, `${2020 + i} 年`])),
);

export const SPREAD = plainWords({ even: "平均", like: "上年各月占比" });
export type Spread = keyof typeof SPREAD;

/**
 * A year's sum over its months, by equal parts or by what each month was a year ago; the parts add up to the sum. What a month that is
 * not over (`undefined`) will come to nobody knows: it weighs as much as those that are over do on average.
 */
export function spreadOver(
  whole: number,
  how: Spread,
  before: readonly (number | null | undefined)[],
): number[] | undefined {
  const over = before.flatMap((was) => (was === undefined ? [] : [BigInt(Math.max(0, was ?? 0))]));
  const sum = over.reduce((a, b) => a + b, 0n);
  const weigh = (was: number | null | undefined) =>
    was === undefined ? sum : BigInt(Math.max(0, was ?? 0)) * BigInt(over.length);
  const weights = how === "even" ? MONTHS.map(() => 1n) : MONTHS.map((_, i) => weigh(before[i]));
  return weights.some((w) => w > 0n) ? share(whole, weights) : undefined;
}

/** A value and some percent of it more, in hundredths of a percent. */
export const raised = (value: number, percent: number): number =>
  halfUp(ratio(value * (10_000 + percent), 10_000));

/** What is called by its months: 3月、5-7月. */
export function monthsText(months: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const m of months) {
    const last = runs.at(-1);
    if (last && last[1] === m - 1) last[1] = m;
    else runs.push([m, m]);
  }
  return runs.map(([a, b]) => (a === b ? `${a}月` : `${a}-${b}月`)).join("、");
}

export const titleOf = ({
  villageName,
  year,
  no,
}: {
  villageName: string;
  year: number;
  no: number;
}): string => `${villageName} ${year} 年第 ${no} 版`;

type Fits = (one: Pick<Indicator, "kind" | "basis" | "source">) => boolean;
const measures =
  (measure: Measure): Fits =>
  ({ source }) =>
    source.by === "measure" && source.measure === measure;
const earns =
  (basis: Basis): Fits =>
  (one) =>
    one.kind === "income" && one.basis === basis;
const TARGETS: Partial<Record<Code, Fits>> = {
  occupancyRate: measures("occupancy"),
  avgRent: measures("averageRent"),
  collectionRate: measures("collection"),
  incomeAccrued: earns("accrual"),
  billed: earns("billed"),
  collected: earns("cash"),
};

/** Whether a target of the dashboard can be taken from an indicator of the budget: it measures the same, on the same basis. */
export const targetFrom = (code: Code, one: Parameters<Fits>[0]): boolean => TARGETS[code]?.(one) ?? false;
