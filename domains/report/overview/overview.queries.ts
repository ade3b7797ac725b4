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
import { monthEnds } from "../owing/summary.queries.ts";
import { keptTargets, targetOf } from "../target/target.queries.ts";
import { endingBy, endingMonths, type Ending } from "./leases.queries.ts";
import {
  dueMonths,
  dueOf,
  earnedBy,
  earnedMonths,
  owedBy,
  takenBy,
  takenMonths,
  type Due,
} from "./money.queries.ts";
import type { Rules } from "../indicator/indicator.rules.ts";
import { LINE_MONTHS, livedOf, otherPeriod, shareOf, type Against, type Code } from "./overview.rules.ts";
import { addUp, roomDays, roomMonths, type RoomDays } from "./rooms.queries.ts";

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
