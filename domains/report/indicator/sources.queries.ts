import { sql } from "kysely";
import {
  type Day,
  type Month,
  type Period,
  addDays,
  addToMonth,
  firstOf,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { countsOn, storeKeeperOf } from "../../listing/status/status.service.ts";

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

/** The same by store and month. */
export async function roomMonthsBy(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<(RoomMonth & { villageId: number; month: Month })[]> {
  const { rows } = await sql<RoomMonth & { villageId: number; month: Month }>`
    select village_id "villageId", to_char(day, 'YYYY-MM') "month", sum(base) base, sum(let) "let",
      (array_agg(let order by day desc))[1] "lastLet", (array_agg(let_rent_fen order by day desc))[1]::bigint "lastRent"
    from village_day where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date
    group by 1, 2`.execute(read.replica);
  return rows;
}

/** Of these the sums of days alone. `rentDays`: the monthly rents of what was let, added up day by day. */
export async function nightsBy(read: Read, villages: readonly number[], { from, to }: Period) {
  const { rows } = await sql<{
    villageId: number;
    month: Month;
    base: number;
    let: number;
    rentDays: number;
  }>`
    select village_id "villageId", to_char(month_of(day), 'YYYY-MM') "month", sum(base) base, sum(let) "let",
      sum(let_rent_fen)::bigint "rentDays"
    from village_day where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date
    group by village_id, month_of(day)`.execute(read.replica);
  return rows;
}

export type Due = { billed: number; settled: number };

/** Bills that fall due in a period, and what had been paid on them at the end of a day: a past day stays as it was. */
const dueAt = (villages: readonly number[], { from, to }: Period, asOf: Day) => sql`
  select village_id, due_date, billed, settled from receivable_day
  where village_id = ${anyOf(villages)} and due_date between ${from}::date and ${to}::date and day <= ${asOf}::date`;

export async function dueOf(
  read: Read,
  villages: readonly number[],
  period: Period,
  asOf: Day,
): Promise<Map<number, Due>> {
  const { rows } = await sql<Due & { villageId: number }>`
    select village_id "villageId", sum(billed)::bigint billed, sum(settled)::bigint settled
    from (${dueAt(villages, period, asOf)}) x group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.villageId, r]));
}

/** The same by month of the due day over all of the stores. */
export async function dueMonths(
  read: Read,
  villages: readonly number[],
  period: Period,
  asOf: Day,
): Promise<Map<Month, Due>> {
  const { rows } = await sql<Due & { month: Month }>`
    select to_char(month_of(due_date), 'YYYY-MM') "month", sum(billed)::bigint billed, sum(settled)::bigint settled
    from (${dueAt(villages, period, asOf)}) x group by month_of(due_date)`.execute(read.replica);
  return new Map(rows.map((r) => [r.month, r]));
}

/** The same by store and month, each as it stood at its own end. */
export async function dueMonthsBy(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<(Due & { villageId: number; month: Month })[]> {
  const { rows } = await sql<Due & { villageId: number; month: Month }>`
    select village_id "villageId", to_char(month_of(due_date), 'YYYY-MM') "month", sum(billed)::bigint billed,
      sum(settled)::bigint settled
    from receivable_day where village_id = ${anyOf(villages)} and due_date between ${from}::date and ${to}::date
      and day < month_of(due_date) + interval '1 month' group by village_id, month_of(due_date)`.execute(
    read.replica,
  );
  return rows;
}

/** What came in, by store: the daily collection report, summed. */
export async function takenBy(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; fen: number }>`
    select village_id "villageId", sum(amount)::bigint fen from taking_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by 1`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.villageId, r.fen]));
}

export async function takenMonths(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<Month, number>> {
  const { rows } = await sql<{ month: Month; fen: number }>`
    select to_char(month_of(day), 'YYYY-MM') "month", sum(amount)::bigint fen from taking_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by month_of(day)`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.month, r.fen]));
}

export async function owedBy(
  read: Read,
  villages: readonly number[],
  asOf: Day,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; fen: number }>`
    select village_id "villageId", sum(fen)::bigint fen from arrears_day
    where village_id = ${anyOf(villages)} and day <= ${asOf}::date group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.villageId, r.fen]));
}

/** Ages of the dashboard: broader than those of the arrears report, and adding up to the same. */
const AGES = [
  { key: "d30", title: "30 天以内", from: 1, to: 30 },
  { key: "d60", title: "31-60 天", from: 31, to: 60 },
  { key: "d90", title: "61-90 天", from: 61, to: 90 },
  { key: "over", title: "90 天以上", from: 91, to: 100_000 },
] as const;

export async function ageing(read: Read, villages: readonly number[], asOf: Day) {
  const { rows } = await sql<{ at: number; fen: number; bills: number }>`
    select width_bucket(${asOf}::date - due_date, array[1, 31, 61, 91]) at, sum(outstanding)::bigint fen, count(*) bills
    from owing_at(${asOf}, ${villages as number[]}::bigint[]) group by 1`.execute(read.replica);
  const at = new Map(rows.map((r) => [r.at, r]));
  const ages = AGES.map(({ key, title }, i) => ({
    key,
    title,
    fen: at.get(i + 1)?.fen ?? 0,
    bills: at.get(i + 1)?.bills ?? 0,
  }));
  return {
    owed: ages.reduce((sum, a) => sum + a.fen, 0),
    bills: ages.reduce((sum, a) => sum + a.bills, 0),
    ages,
  };
}

export async function earnedBy(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ villageId: number; fen: number }>`
    select village_id "villageId", sum(fen)::bigint fen from income_day
    where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by 1`.execute(
    read.replica,
  );
  return new Map(rows.map((r) => [r.villageId, r.fen]));
}

export async function earnedMonths(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Map<Month, number>> {
  const { rows } = await sql<{ month: Month; fen: number }>`
    select to_char(month_of(day), 'YYYY-MM') "month", sum(fen)::bigint fen from (
      select day, sum(fen) fen from income_day
      where village_id = ${anyOf(villages)} and day between ${from}::date and ${to}::date group by day) d
    group by month_of(day)`.execute(read.replica);
  return new Map(rows.map((r) => [r.month, r.fen]));
}

export type RoomMoves = { villageId: number; month: Month; signed: number; left: number };

/** Rooms of new contracts by the day they were signed, and rooms that tenants left for good. */
export const movedOver = (villages: readonly number[], { from, to }: Period) => sql`
  select c.village_id, c.id contract_id, r.room_id, c.signed_on "day", true came
  from contract c join contract_room r on r.contract_id = c.id
  where c.village_id = ${anyOf(villages)} and c.signed_on between ${from}::date and ${to}::date
    and c.source not in ('renewal', 'changeRoom', 'changeTenant', 'import')
    and c.state not in ('draft', 'approving', 'signing', 'voided')
  union all
  select c.village_id, c.id, r.room_id, c.leave_date, false
  from contract c join contract_room r on r.contract_id = c.id
  where c.village_id = ${anyOf(villages)} and c.leave_date between ${from}::date and ${to}::date
    and r.leave_date is null and is_over(c.state) and c.next_id is null
  union all
  select c.village_id, c.id, r.room_id, r.leave_date, false
  from contract_room r join contract c on c.id = r.contract_id
  where c.village_id = ${anyOf(villages)} and r.leave_date between ${from}::date and ${to}::date
    and (is_over(c.state) and c.next_id is null or in_force(c.state))`;

const movesKept = storeKeeperOf(async (read, villages, span: `${Day}/${Day}`) => {
  const [from, to] = span.split("/") as [Day, Day];
  const { rows } = await sql<RoomMoves>`
    select village_id "villageId", to_char(day, 'YYYY-MM') "month", count(*) filter (where came) signed,
      count(*) filter (where not came) "left" from (${movedOver(villages, { from, to })}) m group by 1, 2`.execute(
    read.replica,
  );
  return Map.groupBy(rows, (row) => row.villageId);
});

/** By store and month; stores in which no room changed since are not counted anew. */
export const movesBy = async (
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<RoomMoves[]> => [...(await movesKept(read, villages, `${from}/${to}`)).values()].flat();

export type Ending = { ending: number; renewed: number };

/** Contracts that were in force, and whether a renewal of them had been signed by a day. */
export const ended = (villages: readonly number[], { from, to }: Period, asOf: Day) => sql`
  select c.id, c.village_id, c.end_date, exists (select from contract n where n.previous_id = c.id and n.source = 'renewal'
      and n.signed_on <= ${asOf}::date and n.state not in ('draft', 'approving', 'signing', 'voided')) renewed
  from contract c
  where c.village_id = ${anyOf(villages)} and c.end_date between ${from}::date and ${to}::date
    and coalesce(c.signed_on, c.start_date) <= ${asOf}::date and c.state not in ('draft', 'approving', 'signing', 'voided')`;

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
