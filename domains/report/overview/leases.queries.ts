import { sql } from "kysely";
import {
  addToMonth,
  firstOf,
  lastOf,
  monthOf,
  type Day,
  type Month,
  type Period,
} from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

export type Ending = { ending: number; renewed: number };

/** Contracts that were in force, and whether a renewal of them had been signed by a day. */
export const ended = (villages: readonly number[], { from, to }: Period, asOf: Day) => sql`
  select c.id, c.village_id, c.end_date, exists (select from contract n where n.previous_id = c.id and n.source = 'renewal'
      and n.signed_on <= ${asOf}::date and n.state not in ('draft', 'approving', 'signing', 'voided')) renewed
  from contract c
  where c.village_id = ${anyOf(villages)} and c.end_date between ${from}::date and ${to}::date
    and c.state not in ('draft', 'approving', 'signing', 'voided')`;

export async function endingBy(
  read: Read,
  villages: readonly number[],
  period: Period,
  asOf: Day,
): Promise<Map<number, Ending>> {
  const { rows } = await sql<Ending & { villageId: number }>`
    select village_id "villageId", count(*) ending, count(*) filter (where renewed) renewed
    from (${ended(villages, period, asOf)}) x group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.villageId, r]));
}

export async function endingMonths(
  read: Read,
  villages: readonly number[],
  period: Period,
  asOf: Day,
): Promise<Map<Month, Ending>> {
  const { rows } = await sql<Ending & { month: Month }>`
    select to_char(month_of(end_date), 'YYYY-MM') "month", count(*) ending, count(*) filter (where renewed) renewed
    from (${ended(villages, period, asOf)}) x group by month_of(end_date)`.execute(read.replica);
  return new Map(rows.map((r) => [r.month, r]));
}

/** What ends in the twelve months after the day's own: renewed already, or open. */
export async function expiryOf(read: Read, villages: readonly number[], asOf: Day) {
  const months = Array.from({ length: 12 }, (_, i) => addToMonth(monthOf(asOf), i + 1));
  const found = await endingMonths(
    read,
    villages,
    { from: firstOf(months[0]!), to: lastOf(months.at(-1)!) },
    asOf,
  );
  return months.map((month) => {
    const { ending = 0, renewed = 0 } = found.get(month) ?? {};
    return { month, renewed, open: ending - renewed };
  });
}
