import {
  addToMonth,
  firstOf,
  lastOf,
  monthOf,
  type Day,
  type Month,
  type Period,
} from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { monthEnds } from "../owing/summary.queries.ts";
import { keptTargets, targetOf } from "../target/target.queries.ts";
import { endingBy, endingMonths, type Ending } from "./leases.queries.ts";
import { dueMonths, dueOf, owedBy, takenBy, takenMonths, type Due } from "./money.queries.ts";
import {
  CODES,
  LINE_MONTHS,
  livedOf,
  otherPeriod,
  reached,
  shareOf,
  type Against,
  type Code,
} from "./overview.rules.ts";
import { addUp, roomDays, roomMonths, type RoomDays } from "./rooms.queries.ts";

type Villages = readonly number[];
type Values = Record<Code, number | null>;

/** The figures of one store, or of all of them, from their sums. */
function valuesOf(rooms: RoomDays, due: Due, taken: number, owed: number, ending: Ending): Values {
  return {
    occupancyRate: shareOf(rooms.let, rooms.base),
    avgRent: rooms.lastLet ? Math.round(rooms.lastRent / rooms.lastLet) : null,
    billed: due.billed,
    collected: taken,
    collectionRate: shareOf(due.settled, due.billed),
    arrears: owed,
    renewalRate: shareOf(ending.renewed, ending.ending),
  };
}

const sum = <T>(values: Iterable<T>, of: (value: T) => number): number =>
  [...values].reduce((all, value) => all + of(value), 0);

/** Everything that a period needs, by store. */
async function sumsOf(read: Read, villages: Villages, period: Period, asOf: Day) {
  const lived = livedOf(period, asOf);
  const nothing = new Map<number, never>();
  const [rooms, due, taken, owed, ending] = await Promise.all([
    lived ? roomDays(read, villages, lived) : nothing,
    lived ? dueOf(read, villages, lived, asOf) : nothing,
    lived ? takenBy(read, villages, lived) : nothing,
    owedBy(read, villages, lived?.to ?? asOf),
    endingBy(read, villages, period, asOf),
  ]);
  return { rooms, due, taken, owed, ending };
}
type Sums = Awaited<ReturnType<typeof sumsOf>>;

const whole = (s: Sums): Values =>
  valuesOf(
    addUp(s.rooms.values()),
    { billed: sum(s.due.values(), (d) => d.billed), settled: sum(s.due.values(), (d) => d.settled) },
    sum(s.taken.values(), (fen) => fen),
    sum(s.owed.values(), (fen) => fen),
    { ending: sum(s.ending.values(), (e) => e.ending), renewed: sum(s.ending.values(), (e) => e.renewed) },
  );

async function linesOf(read: Read, villages: Villages, months: readonly Month[], asOf: Day) {
  const span = { from: firstOf(months[0]!), to: asOf };
  const [rooms, due, taken, ends, owed] = await Promise.all([
    roomMonths(read, villages, months, asOf),
    dueMonths(read, villages, span, asOf),
    takenMonths(read, villages, span),
    endingMonths(read, villages, { from: span.from, to: lastOf(months.at(-1)!) }, asOf),
    monthEnds(read, villages, asOf),
  ]);
  const owedAt = new Map(owed.map((o) => [monthOf(o.day), o.owed]));
  return months.map((month): Values => {
    const [r, d, e] = [rooms.get(month), due.get(month), ends.get(month)];
    return {
      occupancyRate: r ? shareOf(r.let, r.base) : null,
      avgRent: r?.lastLet ? Math.round(r.lastRent / r.lastLet) : null,
      billed: d?.billed ?? null,
      collected: taken.get(month) ?? null,
      collectionRate: d ? shareOf(d.settled, d.billed) : null,
      arrears: owedAt.get(month) ?? null,
      renewalRate: e ? shareOf(e.renewed, e.ending) : null,
    };
  });
}

/** How each figure went over thirteen months. */
export async function seriesOf(read: Read, villages: Villages, period: Period, asOf: Day) {
  const last = monthOf(period.to < asOf ? period.to : asOf);
  const months = Array.from({ length: LINE_MONTHS }, (_, i) => addToMonth(last, i + 1 - LINE_MONTHS));
  const values = await linesOf(read, villages, months, last === monthOf(asOf) ? asOf : lastOf(last));
  return { months, lines: CODES.map((code) => ({ code, line: values.map((v) => v[code]) })) };
}

export async function cardsOf(read: Read, villages: Villages, period: Period, asOf: Day, against: Against) {
  const other = against === "target" ? undefined : otherPeriod(period, against, asOf);
  const [now, before, kept] = await Promise.all([
    sumsOf(read, villages, period, asOf),
    other && sumsOf(read, villages, other, other.asOf),
    keptTargets(read, CODES, villages, period),
  ]);
  const stores = villages.map((id) => ({ id, rooms: now.rooms.get(id)?.inStock ?? 0 }));
  const [values, was] = [whole(now), before && whole(before)];
  return {
    asOf,
    figures: CODES.map((code) => ({
      code,
      value: values[code],
      before: was?.[code] ?? null,
      target: targetOf(code, kept, stores, period),
    })),
  };
}

/** A row for each store that has rooms, and the whole from their sums. */
export async function rankingOf(read: Read, villages: Villages, period: Period, asOf: Day) {
  const [sums, kept, names] = await Promise.all([
    sumsOf(read, villages, period, asOf),
    keptTargets(read, ["occupancyRate"], villages, period),
    read.tx.selectFrom("village").select(["id", "name"]).execute(),
  ]);
  const nameOf = new Map(names.map((v) => [v.id, v.name]));
  const rowOf = (rooms: RoomDays, values: Values, target: number | null) => ({
    ...values,
    rooms: rooms.inStock,
    vacant: rooms.lastBase - rooms.lastLet,
    billed: values.billed ?? 0,
    collected: values.collected ?? 0,
    arrears: values.arrears ?? 0,
    reached: reached("occupancyRate", values.occupancyRate, target),
  });
  const rows = [...sums.rooms].map(([id, rooms]) => ({
    id,
    name: nameOf.get(id) ?? "",
    ...rowOf(
      rooms,
      valuesOf(
        rooms,
        sums.due.get(id) ?? { billed: 0, settled: 0 },
        sums.taken.get(id) ?? 0,
        sums.owed.get(id) ?? 0,
        sums.ending.get(id) ?? { ending: 0, renewed: 0 },
      ),
      targetOf("occupancyRate", kept, [{ id, rooms: rooms.inStock }], period),
    ),
  }));
  const stores = rows.map((row) => ({ id: row.id, rooms: row.rooms }));
  return {
    rows,
    whole: rowOf(addUp(sums.rooms.values()), whole(sums), targetOf("occupancyRate", kept, stores, period)),
  };
}
