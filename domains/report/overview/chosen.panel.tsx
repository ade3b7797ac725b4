import { useMemo } from "react";
import {
  addToMonth,
  firstOf,
  isDay,
  lastOf,
  minDay,
  monthOf,
  type Day,
} from "../../../platform/kernel/day.ts";
import { useAddress, type Patch } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { BASES, type Basis } from "./overview.rules.ts";
import { AGAINST, GRAINS, periodAt, type Against, type Grain } from "../indicator/period.rules.ts";

const oneOf = <K extends string>(words: Record<K, unknown>, value: string | null, other: K): K =>
  value !== null && value in words ? (value as K) : other;

/** What the page is about: all of it stands in the address, so that a link shows the same. */
export function useChosen() {
  const [address, set] = useAddress();
  const today = useToday();
  const search = address.toString();
  return useMemo(() => {
    const at = new URLSearchParams(search);
    const grain = oneOf<Grain>(GRAINS, at.get("grain"), "month");
    const from = at.get("from") ?? undefined;
    const to = at.get("to") ?? undefined;
    const anchor: Day = from ?? today;
    const period =
      grain === "range"
        ? { from: from ?? firstOf(monthOf(today)), to: to ?? today }
        : periodAt(grain, anchor);
    const villageIds = at.get("villageIds") ?? "";
    const wished = at.get("asOf");
    const asOf = wished && isDay(wished) && wished < today ? wished : undefined;
    const until = minDay(period.to, asOf ?? today);
    const only = villageIds ? { villageIds } : {};
    return {
      grain,
      period,
      today,
      against: oneOf<Against>(AGAINST, at.get("against"), "target"),
      basis: oneOf<Basis>(BASES, at.get("basis"), "incomeAccrued"),
      villages: villageIds ? villageIds.split(",").map(Number) : [],
      /** The day whose end is looked back from; today where none is chosen. */
      asOf: asOf ?? today,
      /** The last day of the period that has been lived through by then. */
      until,
      /** What every block asks for; `standing` for those that show how things stand on its last day. */
      query: { from: period.from, to: period.to, ...only, ...(asOf && { asOf }) },
      standing: { ...only, ...(until < today && { asOf: until }) },
      only,
      set: (patch: Patch) => set(patch),
      /** The records behind a figure that are looked at: "moved.came". */
      records: at.get("records"),
      show: (records: string | undefined) => set({ records }, { push: records !== undefined }),
    };
  }, [search, today, set]);
}
export type Chosen = ReturnType<typeof useChosen>;

/** The day that begins the neighbour of a period. */
export const neighbour = (grain: Exclude<Grain, "range">, from: Day, step: 1 | -1): Day =>
  firstOf(addToMonth(monthOf(from), step * { month: 1, quarter: 3, year: 12 }[grain]));

/** 2026-11, 2026 年三季度, 2026 年. */
export function periodName(grain: Grain, { from, to }: { from: Day; to: Day }): string {
  if (grain === "month") return monthOf(from);
  if (grain === "year") return `${from.slice(0, 4)} 年`;
  if (grain === "quarter")
    return `${from.slice(0, 4)} 年${"一二三四"[Math.floor((Number(from.slice(5, 7)) - 1) / 3)]}季度`;
  return `${from} ~ ${to}`;
}
/** The period in the fewest words, beside a figure that is an average of its days: "11 月", "四季度", "全年". */
export const shortPeriod = (grain: Grain, { from }: { from: Day }): string =>
  grain === "month"
    ? `${Number(from.slice(5, 7))} 月`
    : grain === "quarter"
      ? `${"一二三四"[Math.floor((Number(from.slice(5, 7)) - 1) / 3)]}季度`
      : grain === "year"
        ? "全年"
        : "期间";
export const wholeMonthOf = (day: Day) => ({ from: firstOf(monthOf(day)), to: lastOf(monthOf(day)) });
