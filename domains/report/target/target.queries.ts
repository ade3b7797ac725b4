import { sql } from "kysely";
import {
  type Day,
  type Month,
  type Period,
  addToMonth,
  firstOf,
  lastOf,
  minDay,
  monthOf,
} from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { type Code, INDICATORS } from "../indicator/figure.rules.ts";
import { livedOf, monthsIn, shareOf } from "../indicator/period.rules.ts";
import { dueOf, earnedBy, endingBy, owedBy, roomMonthsBy, takenBy } from "../indicator/sources.queries.ts";
import { monthsOf } from "./target.rules.ts";

export type Kept = {
  villageId: number;
  month: Month;
  value: number;
  source: "manual" | "import" | "budget";
  /** The indicator of the budget that it follows. */
  budgetIndicatorId: number | null;
  version: number;
};

export const wholeYear = (year: number): Period => ({ from: `${year}-01-01`, to: `${year}-12-31` });

export const namedStores = (read: Read, villages: readonly number[]) =>
  read.tx
    .selectFrom("village")
    .select(["id", "name"])
    .where("id", "=", anyOf(villages))
    .orderBy(sql`name collate "zh-x-icu"`)
    .orderBy("id")
    .execute();

export async function keptTargets(
  read: Read,
  codes: readonly Code[],
  villages: readonly number[],
  { from, to }: Period,
): Promise<(Kept & { code: Code })[]> {
  const { rows } = await sql<Kept & { code: Code }>`
    select code, village_id "villageId", to_char(month, 'YYYY-MM') "month", value::float8 "value", source,
      budget_indicator_id "budgetIndicatorId", version
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

type Values = Map<number, number | null>;

async function ofMonth(read: Read, code: Code, villages: readonly number[], month: Month): Promise<Values> {
  const whole = { from: firstOf(month), to: lastOf(month) };
  const period = livedOf(whole, read.today);
  if (!period) return new Map();
  // a month that is over is judged by its own last day, so that it reads the same for ever
  const asOf = minDay(whole.to, read.today);
  if (code === "arrears") {
    const owed = await owedBy(read, villages, asOf);
    return new Map(villages.map((id) => [id, owed.get(id) ?? 0]));
  }
  if (code === "incomeAccrued") {
    const earned = await earnedBy(read, villages, period);
    return new Map(villages.map((id) => [id, earned.get(id) ?? 0]));
  }
  if (code === "collected") {
    const taken = await takenBy(read, villages, period);
    return new Map(villages.map((id) => [id, taken.get(id) ?? 0]));
  }
  if (code === "renewalRate")
    return new Map(
      [...(await endingBy(read, villages, whole, asOf))].map(([id, e]) => [id, shareOf(e.renewed, e.ending)]),
    );
  const due = await dueOf(read, villages, period, asOf);
  return new Map(
    [...due].map(([id, d]) => [id, code === "billed" ? d.billed : shareOf(d.settled, d.billed)]),
  );
}

/** What each store reached in each month of a year, by "village month". Months to come are missing. */
export async function actuals(
  read: Read,
  code: Code,
  villages: readonly number[],
  year: number,
): Promise<Map<string, number | null>> {
  if (code === "occupancyRate" || code === "avgRent") {
    const rows = await roomMonthsBy(read, villages, wholeYear(year));
    return new Map(
      rows.map((r) => [
        `${r.villageId} ${r.month}`,
        code === "occupancyRate"
          ? shareOf(r.let, r.base)
          : r.lastLet
            ? Math.round(r.lastRent / r.lastLet)
            : null,
      ]),
    );
  }
  const found = new Map<string, number | null>();
  for (const month of monthsOf(year).filter((m) => m <= monthOf(read.today)))
    for (const [id, value] of await ofMonth(read, code, villages, month)) found.set(`${id} ${month}`, value);
  return found;
}
