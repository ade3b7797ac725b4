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
import { countsOn } from "../../listing/status/status.service.ts";
import type { Rules } from "../indicator/indicator.rules.ts";
import { monthEnds } from "../owing/owing.queries.ts";
import { keptTargets, targetOf } from "../target/target.queries.ts";
import {
  type Due,
  dueMonths,
  dueOf,
  earnedBy,
  earnedMonths,
  owedBy,
  takenBy,
  takenMonths,
} from "./money.queries.ts";
import { type Against, type Code, LINE_MONTHS, livedOf, otherPeriod, shareOf } from "./overview.rules.ts";

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

export type Villages = readonly number[];
export type Values = Record<Code, number | null>;

/** The figures of one store, or of all of them, from their sums. */
export function valuesOf(
  rooms: RoomDays,
  earned: number,
  due: Due,
  taken: number,
  owed: number,
  ending: Ending,
): Values {
  return {
    occupancyRate: shareOf(rooms.let, rooms.base),
    avgRent: rooms.lastLet ? Math.round(rooms.lastRent / rooms.lastLet) : null,
    incomeAccrued: earned,
    billed: due.billed,
    collected: taken,
    collectionRate: shareOf(due.settled, due.billed),
    arrears: owed,
    renewalRate: shareOf(ending.renewed, ending.ending),
  };
}

const sum = <T>(values: Iterable<T>, of: (value: T) => number): number =>
  [...values].reduce((all, value) => all + of(value), 0);

/** Everything that some figures of a period need, by store; what none of them needs is not read. */
export async function sumsOf(
  read: Read,
  villages: Villages,
  period: Period,
  asOf: Day,
  codes: readonly string[],
) {
  const lived = livedOf(period, asOf);
  const nothing = new Map<number, never>();
  const needs = (...some: Code[]) => some.some((code) => codes.includes(code));
  const [rooms, earned, due, taken, owed, ending] = await Promise.all([
    lived ? roomDays(read, villages, lived) : nothing,
    lived && needs("incomeAccrued") ? earnedBy(read, villages, lived) : nothing,
    lived && needs("billed", "collectionRate") ? dueOf(read, villages, lived, asOf) : nothing,
    lived && needs("collected") ? takenBy(read, villages, lived) : nothing,
    needs("arrears") ? owedBy(read, villages, lived?.to ?? asOf) : nothing,
    needs("renewalRate") ? endingBy(read, villages, period, asOf) : nothing,
  ]);
  return { rooms, earned, due, taken, owed, ending };
}
type Sums = Awaited<ReturnType<typeof sumsOf>>;

export const whole = (s: Sums): Values =>
  valuesOf(
    addUp(s.rooms.values()),
    sum(s.earned.values(), (fen) => fen),
    { billed: sum(s.due.values(), (d) => d.billed), settled: sum(s.due.values(), (d) => d.settled) },
    sum(s.taken.values(), (fen) => fen),
    sum(s.owed.values(), (fen) => fen),
    { ending: sum(s.ending.values(), (e) => e.ending), renewed: sum(s.ending.values(), (e) => e.renewed) },
  );

async function linesOf(
  read: Read,
  villages: Villages,
  months: readonly Month[],
  asOf: Day,
  codes: readonly Code[],
) {
  const span = { from: firstOf(months[0]!), to: asOf };
  const nothing = new Map<Month, never>();
  const needs = (...some: Code[]) => some.some((code) => codes.includes(code));
  const [rooms, earned, due, taken, ends, owed] = await Promise.all([
    needs("occupancyRate", "avgRent") ? roomMonths(read, villages, months, asOf) : nothing,
    needs("incomeAccrued") ? earnedMonths(read, villages, span) : nothing,
    needs("billed", "collectionRate") ? dueMonths(read, villages, span, asOf) : nothing,
    needs("collected") ? takenMonths(read, villages, span) : nothing,
    needs("renewalRate")
      ? endingMonths(read, villages, { from: span.from, to: lastOf(months.at(-1)!) }, asOf)
      : nothing,
    needs("arrears") ? monthEnds(read, villages, asOf) : [],
  ]);
  const owedAt = new Map(owed.map((o) => [monthOf(o.day), o.owed]));
  return months.map((month): Values => {
    const [r, d, e] = [rooms.get(month), due.get(month), ends.get(month)];
    return {
      occupancyRate: r ? shareOf(r.let, r.base) : null,
      avgRent: r?.lastLet ? Math.round(r.lastRent / r.lastLet) : null,
      incomeAccrued: earned.get(month) ?? null,
      billed: d?.billed ?? null,
      collected: taken.get(month) ?? null,
      collectionRate: d ? shareOf(d.settled, d.billed) : null,
      arrears: owedAt.get(month) ?? null,
      renewalRate: e ? shareOf(e.renewed, e.ending) : null,
    };
  });
}

/** How each figure went over thirteen months. */
export async function seriesOf(
  read: Read,
  villages: Villages,
  period: Period,
  asOf: Day,
  codes: readonly Code[],
) {
  const last = monthOf(period.to < asOf ? period.to : asOf);
  const months = Array.from({ length: LINE_MONTHS }, (_, i) => addToMonth(last, i + 1 - LINE_MONTHS));
  const values = await linesOf(read, villages, months, last === monthOf(asOf) ? asOf : lastOf(last), codes);
  return { months, lines: codes.map((code) => ({ code, line: values.map((v) => v[code]) })) };
}

export async function cardsOf(
  read: Read,
  villages: Villages,
  period: Period,
  asOf: Day,
  { against, codes, rules }: { against: Against; codes: readonly Code[]; rules: Rules },
) {
  const other = against === "target" ? undefined : otherPeriod(period, against, asOf);
  const [now, before, kept] = await Promise.all([
    sumsOf(read, villages, period, asOf, codes),
    other && sumsOf(read, villages, other, other.asOf, codes),
    keptTargets(read, codes, villages, period),
  ]);
  const stores = villages.map((id) => ({ id, rooms: now.rooms.get(id)?.inStock ?? 0 }));
  const [values, was] = [whole(now), before && whole(before)];
  return {
    asOf,
    figures: codes.map((code) => ({
      code,
      value: values[code],
      before: was?.[code] ?? null,
      target: targetOf(code, kept, stores, period, rules[code].defaultTarget),
    })),
  };
}
