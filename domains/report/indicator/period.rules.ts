import {
  type Day,
  type Month,
  type Period,
  addDays,
  addMonths,
  addToMonth,
  firstOf,
  lastOf,
  lengthOf,
  maxDay,
  minDay,
  monthOf,
  monthsFrom,
} from "../../../platform/kernel/day.ts";
import { greys } from "../../../platform/kernel/words.ts";

export const GRAINS = greys({ month: "月", quarter: "季", year: "年", range: "自定义" });

export type Grain = keyof typeof GRAINS;

export const AGAINST = greys({ target: "目标", before: "上期", yearBefore: "去年同期" });

export type Against = keyof typeof AGAINST;

export const MOST_MONTHS = 36;

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
 * not over yet is compared with as much of the other as has passed of this one; after its end both are looked back at from
 * equally long after.
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
  return { from, to, asOf: asOf >= period.to ? maxDay(to, back(asOf)) : minDay(to, back(asOf)) };
}

/** null where there is nothing to divide by: shown as a dash, never as 0. */
export const shareOf = (part: number, whole: number): number | null => (whole ? part / whole : null);
