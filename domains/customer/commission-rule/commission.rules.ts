import { addDays, addMonths, daysBetween, monthsFrom, type Day } from "../../../platform/kernel/day.ts";
import { decimal, halfUp, over, ratio, times, yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";

export const BASES = {
  monthRent: ["月租金", "grey"],
  totalRent: ["合同总租金", "grey"],
  fixed: ["固定金额", "grey"],
} as const satisfies Words;
export type Base = keyof typeof BASES;

export const CLAW_MODES = {
  proRata: ["按剩余天数比例扣回", "grey"],
  all: ["全部扣回", "grey"],
} as const satisfies Words;
export type ClawMode = keyof typeof CLAW_MODES;

export const COMMISSION_KINDS = {
  first: ["首签", "grey"],
  renewal: ["续租", "grey"],
  claw: ["扣回", "grey"],
} as const satisfies Words;

export const COMMISSION_STATES = {
  owed: ["待结算", "gold"],
  settling: ["结算中", "blue"],
  paid: ["已支付", "green"],
  clawed: ["已扣回", "purple"],
  void: ["已作废", "grey"],
} as const satisfies Words;
export type CommissionState = keyof typeof COMMISSION_STATES;

const NAMES = Object.fromEntries(
  Object.entries(COMMISSION_STATES).map(([state, [title]]) => [state, title]),
) as Record<CommissionState, string>;

type Row = { kind: keyof typeof COMMISSION_KINDS; left: Fen };

/** `left`: what has not been taken back yet. A part that is taken back leaves the commission where it is. */
export const COMMISSION_MOVES = moves<CommissionState, Row>(NAMES)({
  settle: { label: "生成账单", from: ["owed"], to: "settling" },
  drop: { label: "退回", from: ["settling"], to: "owed" },
  void: {
    label: "作废",
    from: ["owed"],
    to: "void",
    unless: (row) =>
      row.kind === "claw" ? "扣回记录不能作废" : row.left <= 0 && "该佣金已全部扣回，不能作废",
  },
  claw: {
    label: "扣回",
    from: ["owed", "paid"],
    to: "clawed",
    unless: (row) => (row.kind === "claw" ? "扣回记录不能再扣回" : row.left <= 0 && "该佣金已全部扣回"),
  },
});

/** From so many months on: a percentage (decimal text) of the base, or a sum. */
export type Tier = { fromMonths: number; percent?: string | null; fixed?: Fen | null };
export type RuleTerms = {
  name: string;
  base: Base;
  tiers: readonly Tier[];
  cap: Fen | null;
};
export type Explained = { rule: string; inputs: string; formula: string };

/** Whole months of a term; what is left over of a month does not count. */
export function monthsOf(start: Day, end: Day): number {
  const after = addDays(end, 1);
  const months = monthsFrom(start, after) - 1;
  return Math.max(0, addMonths(start, months) > after ? months - 1 : months);
}

/** The tier a term falls into: the last one that it reaches. */
export const tierOf = (tiers: readonly Tier[], months: number): Tier | undefined =>
  tiers.findLast((tier) => tier.fromMonths <= months);

/** Why a list of tiers cannot be, by the index of its line. */
export function tierRefusal(
  base: Base | undefined,
  tiers: readonly Tier[],
): { line: number; key: "fromMonths" | "percent" | "fixed"; msg: string } | undefined {
  for (const [line, tier] of tiers.entries()) {
    if (line > 0 && tier.fromMonths <= tiers[line - 1]!.fromMonths)
      return { line, key: "fromMonths", msg: "档位月数须递增" };
    if (base === "fixed" ? tier.fixed == null : tier.percent == null)
      return base === "fixed"
        ? { line, key: "fixed", msg: "请输入金额" }
        : { line, key: "percent", msg: "请输入比例" };
  }
  return undefined;
}

/** What a contract earns by a rule, in fen, rounded half up once, and how that came about. */
export function earnedBy(
  rule: RuleTerms,
  of: { months: number; monthRent: Fen; totalRent: Fen },
): { base: Fen; amount: Fen; explain: Explained } {
  const tier = tierOf(rule.tiers, of.months);
  const base = rule.base === "fixed" ? 0 : rule.base === "monthRent" ? of.monthRent : of.totalRent;
  const inputs = `租期 ${of.months} 个月，月租金 ${yuan(of.monthRent)} 元${rule.base === "totalRent" ? `，合同总租金 ${yuan(of.totalRent)} 元` : ""}`;
  const said = (amount: Fen, text: string) => {
    const capped = rule.cap !== null && amount > rule.cap;
    return {
      base,
      amount: capped ? rule.cap! : amount,
      explain: {
        rule: `${rule.name}，${tier ? `满 ${tier.fromMonths} 个月` : "租期不到起始档位"}`,
        inputs,
        formula: capped ? `${text}，封顶 ${yuan(rule.cap!)}` : text,
      },
    };
  };
  if (!tier) return said(0, "没有适用的档位，佣金为 0.00");
  if (rule.base === "fixed") return said(tier.fixed ?? 0, `固定 ${yuan(tier.fixed ?? 0)}`);
  const amount = halfUp(over(times(ratio(base), decimal(tier.percent ?? "0")), ratio(100)));
  return said(amount, `${yuan(base)} × ${tier.percent}% = ${yuan(amount)}`);
}

/** What is taken back when a tenant leaves after so many days; 0 once the days of the rule are over. Fen, positive. */
export function clawedBy(
  rule: { clawDays: number; clawMode: ClawMode },
  of: { amount: Fen; start: Day; left: Day },
): { amount: Fen; explain: Explained } | undefined {
  const lived = Math.max(0, daysBetween(of.start, of.left) + 1);
  if (lived >= rule.clawDays) return undefined;
  const whole = rule.clawMode === "all";
  const rest = rule.clawDays - lived;
  const amount = whole ? of.amount : halfUp(ratio(of.amount * rest, rule.clawDays));
  return {
    amount,
    explain: {
      rule: `${rule.clawDays} 天内退租${CLAW_MODES[rule.clawMode][0]}`,
      inputs: `${of.start} 起租，${of.left} 退租，住满 ${lived} 天`,
      formula: whole
        ? `全部扣回 ${yuan(amount)}`
        : `${yuan(of.amount)} × (${rule.clawDays} - ${lived}) ÷ ${rule.clawDays} = ${yuan(amount)}`,
    },
  };
}
