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
import { CODES, type Code } from "../indicator/figure.rules.ts";
import { type Rules, reached, weighted } from "../indicator/indicator.rules.ts";
import { type Against, livedOf, otherPeriod, shareOf } from "../indicator/period.rules.ts";
import {
  type Due,
  type Ending,
  type RoomDays,
  addUp,
  dueMonths,
  dueOf,
  earnedBy,
  earnedMonths,
  endingBy,
  endingMonths,
  owedBy,
  roomDays,
  roomMonths,
  takenBy,
  takenMonths,
} from "../indicator/sources.queries.ts";
import { monthEnds } from "../owing/owing.queries.ts";
import { keptTargets, targetOf } from "../target/target.queries.ts";
import type { RANKED } from "./overview.contract.ts";
import { LINE_MONTHS } from "./overview.rules.ts";

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
  const end = minDay(lastOf(months.at(-1)!), asOf);
  const span = { from: firstOf(months[0]!), to: end };
  const nothing = new Map<Month, never>();
  const needs = (...some: Code[]) => some.some((code) => codes.includes(code));
  const [rooms, earned, due, taken, ends, owed] = await Promise.all([
    needs("occupancyRate", "avgRent") ? roomMonths(read, villages, months, end) : nothing,
    needs("incomeAccrued") ? earnedMonths(read, villages, span) : nothing,
    needs("billed", "collectionRate") ? dueMonths(read, villages, span, asOf) : nothing,
    needs("collected") ? takenMonths(read, villages, span) : nothing,
    needs("renewalRate")
      ? endingMonths(read, villages, { from: span.from, to: lastOf(months.at(-1)!) }, asOf)
      : nothing,
    needs("arrears") ? monthEnds(read, villages, end) : [],
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

export async function seriesOf(
  read: Read,
  villages: Villages,
  period: Period,
  asOf: Day,
  codes: readonly Code[],
) {
  const last = monthOf(period.to < asOf ? period.to : asOf);
  const months = Array.from({ length: LINE_MONTHS }, (_, i) => addToMonth(last, i + 1 - LINE_MONTHS));
  const values = await linesOf(read, villages, months, asOf, codes);
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

type Ranked = (typeof RANKED)[number];

/**
 * A row for each store that has rooms, and the whole from their sums; only the figures that are wanted. 目标完成 is made
 * of those that have a weight.
 */
export async function rankingOf(
  read: Read,
  villages: Villages,
  period: Period,
  asOf: Day,
  { codes, rules }: { codes: readonly Ranked[]; rules: Rules },
) {
  const weighed = CODES.filter((code) => codes.includes(code) && rules[code].weight > 0);
  const [sums, kept, names] = await Promise.all([
    sumsOf(read, villages, period, asOf, codes),
    keptTargets(read, weighed, villages, period),
    read.tx
      .selectFrom("village as v")
      .innerJoin("district as d", "d.id", "v.districtId")
      .select(["v.id", "v.name", "d.name as district"])
      .execute(),
  ]);
  const placeOf = new Map(names.map((v) => [v.id, v]));
  const rowOf = (
    rooms: RoomDays,
    values: Values,
    stores: readonly { id: number; rooms: number }[],
  ): { rooms: number; reached?: number | null } & Partial<Values & { vacant: number }> => ({
    rooms: rooms.inStock,
    ...Object.fromEntries(
      codes.map((code) => [code, code === "vacant" ? rooms.lastBase - rooms.lastLet : values[code]]),
    ),
    ...(weighed.length && {
      reached: weighted(
        weighed.map((code) => ({
          weight: rules[code].weight,
          share: reached(
            rules[code].better,
            values[code],
            targetOf(code, kept, stores, period, rules[code].defaultTarget),
          ),
        })),
      ),
    }),
  });
  // a store without a room on the day may still have money in the whole
  const parts = [sums.rooms, sums.earned, sums.due, sums.taken, sums.owed, sums.ending];
  const ids = new Set(parts.flatMap((part) => [...part.keys()]));
  const rows = [...ids].map((id) => {
    const rooms = sums.rooms.get(id) ?? addUp([]);
    return {
      id,
      name: placeOf.get(id)?.name ?? "",
      district: placeOf.get(id)?.district ?? "",
      ...rowOf(
        rooms,
        valuesOf(
          rooms,
          sums.earned.get(id) ?? 0,
          sums.due.get(id) ?? { billed: 0, settled: 0 },
          sums.taken.get(id) ?? 0,
          sums.owed.get(id) ?? 0,
          sums.ending.get(id) ?? { ending: 0, renewed: 0 },
        ),
        [{ id, rooms: rooms.inStock }],
      ),
    };
  });
  const stores = rows.map((row) => ({ id: row.id, rooms: row.rooms }));
  return { rows, whole: rowOf(addUp(sums.rooms.values()), whole(sums), stores) };
}
