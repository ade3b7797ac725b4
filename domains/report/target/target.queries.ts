import { sql } from "kysely";
import {
  addToMonth,
  firstOf,
  monthOf,
  type Day,
  type Month,
  type Period,
} from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { INDICATORS, monthsIn, type Code } from "../overview/overview.rules.ts";

export type Kept = {
  villageId: number;
  month: Month;
  value: number;
  source: "manual" | "import" | "budget";
  version: number;
};

export const wholeYear = (year: number): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` });

/** The stores of a grid, in the order people look for them. */
export const namedStores = (read: Read, villages: readonly number[]) =>
  read.tx
    .selectFrom("village")
    .select(["id", "name"])
    .where("id", "=", anyOf(villages))
    .orderBy(sql`name collate "zh-x-icu"`)
    .orderBy("id")
    .execute();

/** The targets of an indicator in some months. */
export async function keptTargets(
  read: Read,
  codes: readonly Code[],
  villages: readonly number[],
  { from, to }: Period,
): Promise<(Kept & { code: Code })[]> {
  const { rows } = await sql<Kept & { code: Code }>`
    select code, village_id "villageId", to_char(month, 'YYYY-MM') "month", value::float8 "value", source, version
    from indicator_target where code = any(${codes as string[]}) and village_id = ${anyOf(villages)}
      and month between ${firstOf(monthOf(from))}::date and ${to}::date`.execute(read.tx);
  return rows;
}

/**
 * The target of some stores over a period: added up where the indicator adds up, else the mean by the rooms of each
 * store. A gap is filled by the default target; without one the whole is null, so that a gap never looks like a lower
 * target.
 */
export function targetOf(
  code: Code,
  kept: readonly (Kept & { code: Code })[],
  villages: readonly { id: number; rooms: number }[],
  period: Period,
  otherwise: number | null = null,
): number | null {
  const months = monthsIn(period);
  const at = new Map(kept.filter((k) => k.code === code).map((k) => [`${k.villageId} ${k.month}`, k.value]));
  // arrears and the like stand at the end of a period
  const wanted = INDICATORS[code].adds || INDICATORS[code].kind === "rate" ? months : months.slice(-1);
  let [sum, weight] = [0, 0];
  for (const village of villages) {
    if (!village.rooms) continue;
    for (const month of wanted) {
      const value = at.get(`${village.id} ${month}`) ?? otherwise;
      if (value === null) return null;
      const share = INDICATORS[code].adds || code === "arrears" ? 1 : village.rooms;
      sum += value * share;
      weight += share;
    }
  }
  if (!weight) return null;
  if (INDICATORS[code].adds || code === "arrears") return sum;
  // a mean of amounts is whole fen again
  return INDICATORS[code].kind === "money" ? Math.round(sum / weight) : sum / weight;
}

/** A month is over once a later one has begun. */
export const isOver = (month: Month, today: Day): boolean => month < monthOf(today);
export const nextMonth = (month: Month): Month => addToMonth(month, 1);
