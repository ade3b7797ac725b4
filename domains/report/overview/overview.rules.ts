import {
  addDays,
  addMonths,
  addToMonth,
  firstOf,
  lastOf,
  lengthOf,
  minDay,
  monthOf,
  monthsFrom,
  type Day,
  type Month,
  type Period,
} from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";

/** How a figure is written, and whether more of it is better. */
type Indicator = {
  title: string;
  kind: "rate" | "money" | "count";
  better: "more" | "less";
  /** Over stores and months its values are added up; else it is a quotient of sums. */
  adds: boolean;
  formula: string;
  /** The records it is read from. */
  source: string;
};

export const INDICATORS = {
  occupancyRate: {
    title: "出租率",
    kind: "rate",
    better: "more",
    adds: false,
    formula: "期间内每日在租间数之和 ÷ 每日可租间数之和；维修、停用、自用的房间不计入可租",
    source: "每日房态汇总，当天为实时房态",
  },
  avgRent: {
    title: "平均租金",
    kind: "money",
    better: "more",
    adds: false,
    formula: "期末在租房间的月租金合计 ÷ 在租间数",
    source: "在租合同",
  },
  incomeAccrued: {
    title: "权责收入",
    kind: "money",
    better: "more",
    adds: true,
    formula:
      "已出账收入按计费期逐日分摊到期间内截至日的金额，含税，不含押金、代收和滞纳金；一次性费用计入出账日，已锁账月份的更正计入之后的月份；每分钟汇总",
    source: "账单计费期",
  },
  billed: {
    title: "应收",
    kind: "money",
    better: "more",
    adds: true,
    formula: "应收日在期间内、已出账且未作废的账单金额，含调整",
    source: "账单",
  },
  collected: {
    title: "实收",
    kind: "money",
    better: "more",
    adds: true,
    formula: "期间内到账的收款，减去当日冲销，与日收款报表一致",
    source: "收款流水",
  },
  collectionRate: {
    title: "收缴率",
    kind: "rate",
    better: "more",
    adds: false,
    formula: "应收日在期间内的账单截至日已收 ÷ 这些账单的应收",
    source: "账单与核销",
  },
  arrears: {
    title: "欠费余额",
    kind: "money",
    better: "less",
    adds: false,
    formula: "截至日逾期未收的金额，与欠费报表合计一致",
    source: "账单与核销",
  },
  renewalRate: {
    title: "续租率",
    kind: "rate",
    better: "more",
    adds: false,
    formula: "期间内到期的合同中截至日已签续租的份数 ÷ 期间内到期的份数",
    source: "合同",
  },
} as const satisfies Record<string, Indicator>;
export type Code = keyof typeof INDICATORS;
export const CODES = Object.keys(INDICATORS) as [Code, ...Code[]];

export const GRAINS = {
  month: ["月", "grey"],
  quarter: ["季", "grey"],
  year: ["年", "grey"],
  range: ["自定义", "grey"],
} as const satisfies Words;
export type Grain = keyof typeof GRAINS;
export const AGAINST = {
  target: ["目标", "grey"],
  before: ["上期", "grey"],
  yearBefore: ["去年同期", "grey"],
} as const satisfies Words;
export type Against = keyof typeof AGAINST;
export const BASES = {
  incomeAccrued: ["权责", "grey"],
  billed: ["应收", "grey"],
  collected: ["实收", "grey"],
} as const satisfies Words;
export type Basis = keyof typeof BASES;

export const MOST_MONTHS = 36;
/** Months of a line: the last one and the twelve before it. */
export const LINE_MONTHS = 13;

/** The period of a grain that a day lies in. */
export function periodAt(grain: Exclude<Grain, "range">, day: Day): Period {
  const month = monthOf(day);
  if (grain === "month") return { from: firstOf(month), to: lastOf(month) };
  const year = month.slice(0, 4);
  if (grain === "year") return { from: `${year}-01-01`, to: `${year}-12-31` };
  const first = Math.floor((Number(month.slice(5)) - 1) / 3) * 3 + 1;
  const from = `${year}-${String(first).padStart(2, "0")}`;
  return { from: firstOf(from), to: lastOf(addToMonth(from, 2)) };
}

export const monthsIn = ({ from, to }: Period): Month[] =>
  Array.from({ length: Math.max(0, monthsFrom(from, to)) }, (_, i) => addToMonth(monthOf(from), i));

/** A period that may be asked about. */
export const inOrder = ({ from, to }: Period): boolean => from <= to && monthsFrom(from, to) <= MOST_MONTHS;

/** The part of a period that has been lived through at a day; undefined when none has. */
export const livedOf = ({ from, to }: Period, asOf: Day): Period | undefined =>
  from > asOf ? undefined : { from, to: minDay(to, asOf) };

const isWholeMonths = ({ from, to }: Period) => from === firstOf(monthOf(from)) && to === lastOf(monthOf(to));

/**
 * What a period is measured against: as many months, or days, before it, or the same a year earlier. A period that is
 * not over yet is compared with as much of the other as has passed of this one.
 */
export function otherPeriod(
  period: Period,
  against: Exclude<Against, "target">,
  asOf: Day,
): Period & { asOf: Day } {
  const months = isWholeMonths(period) ? monthsIn(period).length : 0;
  const back = (day: Day): Day =>
    against === "yearBefore"
      ? addMonths(day, -12)
      : months
        ? addMonths(day, -months)
        : addDays(day, -lengthOf(period));
  const from = back(period.from);
  const to =
    months && against === "before"
      ? lastOf(addToMonth(monthOf(period.to), -months))
      : months
        ? lastOf(addToMonth(monthOf(period.to), -12))
        : back(period.to);
  return { from, to, asOf: asOf >= period.to ? to : minDay(to, back(asOf)) };
}

/** null where there is nothing to divide by: shown as a dash, never as 0. */
export const shareOf = (part: number, whole: number): number | null => (whole ? part / whole : null);

/** Why a room that could be let is not. */
export const EMPTY_WHY = { free: "可租空置", promised: "预订未住", dirty: "整备中" } as const;
/** For how many days; each class begins at `from`. */
export const EMPTY_DAYS = [
  { title: "0-7 天", from: 0 },
  { title: "8-30 天", from: 8 },
  { title: "31-60 天", from: 31 },
  { title: "60 天以上", from: 61 },
] as const;

export const FUNNEL_STEPS = {
  created: "新增客源",
  following: "开始跟进",
  viewed: "已看房",
  reserved: "已预订",
  signed: "已签约",
} as const;
