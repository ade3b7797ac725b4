import { sql } from "kysely";
import { firstOf, lastOf, minDay, monthOf, type Month } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { endingBy } from "../overview/leases.queries.ts";
import { dueOf, earnedBy, owedBy, takenBy } from "../overview/money.queries.ts";
import { livedOf, shareOf, type Code } from "../overview/overview.rules.ts";
import { monthsOf } from "./target.rules.ts";

type Values = Map<number, number | null>;

/** The rooms of every store and month at once; the others ask for a month at a time. */
async function roomsByMonth(read: Read, villages: readonly number[], year: number) {
  const { rows } = await sql<{
    villageId: number;
    month: Month;
    base: number;
    let: number;
    lastLet: number;
    rent: number;
  }>`
    select village_id "villageId", to_char(day, 'YYYY-MM') "month", sum(base) base, sum(let) "let",
      (array_agg(let order by day desc))[1] "lastLet", (array_agg(let_rent_fen order by day desc))[1]::bigint rent
    from village_day where village_id = ${anyOf(villages)}
      and day between ${`${year}-01-01`}::date and ${`${year}-12-31`}::date group by 1, 2`.execute(
    read.replica,
  );
  return rows;
}

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
  const due = await dueOf(read, villages, period, read.today);
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
    const rows = await roomsByMonth(read, villages, year);
    return new Map(
      rows.map((r) => [
        `${r.villageId} ${r.month}`,
        code === "occupancyRate" ? shareOf(r.let, r.base) : r.lastLet ? Math.round(r.rent / r.lastLet) : null,
      ]),
    );
  }
  const found = new Map<string, number | null>();
  for (const month of monthsOf(year).filter((m) => m <= monthOf(read.today)))
    for (const [id, value] of await ofMonth(read, code, villages, month)) found.set(`${id} ${month}`, value);
  return found;
}
