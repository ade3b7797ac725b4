import { sql } from "kysely";
import { addDays, monthOf, type Day, type Month, type Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { countsOn } from "../../listing/status/status.service.ts";

/** Rooms of a store over some days: sums of days, and how it stood on the last of them. */
export type RoomDays = {
  villageId: number;
  base: number;
  let: number;
  lastBase: number;
  lastLet: number;
  lastRent: number;
  inStock: number;
};

const none = (villageId: number): RoomDays => ({
  villageId,
  base: 0,
  let: 0,
  lastBase: 0,
  lastLet: 0,
  lastRent: 0,
  inStock: 0,
});

/** Past days come from the nightly roll-up, today is counted as the board counts it. */
export async function roomDays(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<number, RoomDays>> {
  const past = to < read.today ? to : addDays(read.today, -1);
  const [{ rows }, today] = await Promise.all([
    sql<RoomDays>`
      select s.village_id "villageId", s.base, s."let", coalesce(e.base, 0) "lastBase", coalesce(e.let, 0) "lastLet",
        coalesce(e.let_rent_fen, 0)::bigint "lastRent", coalesce(e.in_stock, 0) "inStock"
      from (select village_id, sum(base) base, sum(let) "let" from village_day
        where village_id = ${anyOf(villages)} and day between ${from}::date and ${past}::date group by 1) s
      left join village_day e on e.village_id = s.village_id and e.day = ${past}::date`.execute(read.replica),
    to >= read.today && from <= read.today ? countsOn(read, read.today, villages) : [],
  ]);
  const found = new Map(rows.map((row) => [row.villageId, row]));
  for (const now of today) {
    const row = found.get(now.villageId) ?? none(now.villageId);
    found.set(now.villageId, {
      ...row,
      base: row.base + now.base,
      let: row.let + now.let,
      lastBase: now.base,
      lastLet: now.let,
      lastRent: now.letRentFen,
      inStock: now.inStock,
    });
  }
  return found;
}

export const addUp = (days: Iterable<RoomDays>): RoomDays =>
  [...days].reduce(
    (sum, d) => ({
      villageId: 0,
      base: sum.base + d.base,
      let: sum.let + d.let,
      lastBase: sum.lastBase + d.lastBase,
      lastLet: sum.lastLet + d.lastLet,
      lastRent: sum.lastRent + d.lastRent,
      inStock: sum.inStock + d.inStock,
    }),
    none(0),
  );

export type RoomMonth = { base: number; let: number; lastLet: number; lastRent: number };

/** The same by month over all of the stores, from the roll-up alone; the month that runs ends with yesterday. */
export async function roomMonths(
  read: Read,
  villages: readonly number[],
  months: readonly Month[],
  asOf: Day,
): Promise<Map<Month, RoomMonth>> {
  const { rows } = await sql<RoomMonth & { month: Month; day: Day }>`
    with days as (select day, sum(base) base, sum(let) "let", sum(let_rent_fen)::bigint rent from village_day
      where village_id = ${anyOf(villages)} and day between ${`${months[0]}-01`}::date and ${asOf}::date group by 1)
    select to_char(day, 'YYYY-MM') "month", sum(base) base, sum("let") "let",
      (array_agg("let" order by day desc))[1] "lastLet", (array_agg(rent order by day desc))[1] "lastRent"
    from days group by 1`.execute(read.replica);
  return new Map(rows.filter((r) => months.includes(monthOf(`${r.month}-01`))).map((r) => [r.month, r]));
}
