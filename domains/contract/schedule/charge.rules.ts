import { dayOf } from "../../../platform/kernel/day.ts";
import { type Fen, halfUp } from "../../../platform/kernel/fen.ts";
import type { Fraction, Line, PricePart } from "./line.rules.ts";
import type { MonthTable } from "./months.rules.ts";
import { type Charge, type Segment, type Units, writeLine } from "./write.rules.ts";
import type { Carried } from "./terms.rules.ts";

/** Some days of a month at one price: the month's units before and after them. */
export type Share = { price: Fen; from: Units; to: Units };
export type Rounded = { amount: Fen; exact: Fraction; before: Fraction };

const fraction = (n: Units, d: Units): Fraction => `${n}/${d}` as Fraction;

/** The greatest amount times two years of days is far from where numbers stop being exact. */
function rollNumbers(shares: readonly Share[], whole: number, opening: Share): Rounded[] {
  const round = (units: number) => Math.floor((2 * units + whole) / (2 * whole));
  let sum = opening.price * Number(opening.to);
  return shares.map(({ price, from, to }) => {
    const before = sum;
    const units = price * (Number(to) - Number(from));
    sum += units;
    return {
      amount: round(sum) - round(before),
      exact: fraction(units, whole),
      before: fraction(before, whole),
    };
  });
}

function rollBig(shares: readonly Share[], whole: bigint, opening: Share): Rounded[] {
  let sum = BigInt(opening.price) * BigInt(opening.to);
  return shares.map(({ price, from, to }) => {
    const before = sum;
    const units = BigInt(price) * (BigInt(to) - BigInt(from));
    sum += units;
    return {
      amount: halfUp({ n: sum, d: whole }) - halfUp({ n: before, d: whole }),
      exact: fraction(units, whole),
      before: fraction(before, whole),
    };
  });
}

/**
 * Rounds the shares of one month on their running total: amount = round(sum so far) − round(sum before).
 * So a month adds up to the unsplit month, and cutting its end off never changes what stands before.
 * `opening` is what days before these have cost (a month taken over from another contract).
 */
export function roll(shares: readonly Share[], whole: Units, opening: Share): Rounded[] {
  return typeof whole === "number" ? rollNumbers(shares, whole, opening) : rollBig(shares, whole, opening);
}

/** The days of month i that a charge covers, and its first segment there. */
type Cut = { i: number; from: number; to: number; monthDays: number; segments: Segment[] };

/** The lines of a charge. A whole month costs its price; the parts of a split or cut month are rounded on their running total. */
export function chargeLines(table: MonthTable, charge: Charge): Line[] {
  const { segments } = charge;
  const lines: Line[] = [];
  const begin = segments[0]?.from ?? 0;
  const last = segments.at(-1)?.to ?? -1;
  let s = 0;
  let before: Segment | undefined;
  for (let i = 0; i < table.from.length; i++) {
    const monthStart = table.starts[i]!;
    const monthEnd = table.starts[i + 1]! - 1;
    if (monthEnd < begin || monthStart > last) continue;
    while (segments[s]!.to < monthStart) s++;
    const segment = segments[s]!;
    const periodNo = charge.periods[i]!;
    const monthFrom = table.from[i]!;
    const monthDays = monthEnd - monthStart + 1;
    if (segment.from <= monthStart && segment.to >= monthEnd) {
      const { price, free } = segment;
      writeLine(lines, charge, before, {
        segment,
        periodNo,
        from: monthFrom,
        to: table.to[i]!,
        monthFrom,
        part: { price, months: 1, days: monthDays },
        amount: free ? 0 : price,
        forgone: free ? price : 0,
      });
      before = segment;
      continue;
    }
    const from = Math.max(monthStart, begin);
    const to = Math.min(monthEnd, last);
    const inside = segments.filter((x) => x.from <= to && x.to >= from);
    for (const { segment: piece, from: a, to: b, part, paid, forgone } of partsOf(table, charge, {
      i,
      from,
      to,
      monthDays,
      segments: inside,
    })) {
      writeLine(lines, charge, before, {
        segment: piece,
        periodNo,
        from: dayOf(a),
        to: dayOf(b),
        monthFrom,
        part,
        amount: paid.amount,
        forgone: forgone?.amount ?? 0,
      });
      before = piece;
    }
  }
  return lines;
}

type MonthPart = {
  segment: Segment;
  from: number;
  to: number;
  part: PricePart;
  paid: Rounded;
  forgone?: Rounded;
};

function partsOf(table: MonthTable, charge: Charge, { i, from, to, monthDays, segments }: Cut): MonthPart[] {
  const { scale } = charge;
  // A cut first month counts its own days; a month taken over counts on from the predecessor's.
  const taken = from > table.starts[i]! && from === table.start;
  const counted = taken ? (charge.carried?.days ?? charge.carriedDays) : 0;
  const whole = scale.whole(monthDays);
  const opening = (taken && openingOf(charge, segments[0]!.price, whole)) || {
    price: segments[0]!.price,
    from: 0,
    to: scale.units(counted, monthDays),
  };
  const rows = segments.map((segment) => {
    const a = Math.max(segment.from, from);
    const b = Math.min(segment.to, to);
    const before = counted + a - from;
    const share: Share = {
      price: segment.price,
      from: scale.units(before, monthDays),
      to: scale.units(counted + b - from + 1, monthDays),
    };
    return { segment, from: a, to: b, before, share };
  });
  const paid = roll(
    rows.map(({ segment, share }) => (segment.free ? { ...share, price: 0 } : share)),
    whole,
    opening,
  );
  const anyFree = segments.some((x) => x.free);
  const forgone = anyFree
    ? roll(
        rows.map(({ segment, share }) => (segment.free ? share : { ...share, price: 0 })),
        whole,
        { ...opening, price: 0 },
      )
    : [];
  return rows.map(({ segment, from: a, to: b, before }, k) => ({
    segment,
    from: a,
    to: b,
    part: {
      price: segment.price,
      months: 0,
      days: b - a + 1,
      monthDays,
      counted: before,
      exact: paid[k]!.exact,
      before: paid[k]!.before,
    },
    paid: paid[k]!,
    forgone: forgone[k],
  }));
}

/** What the predecessor's days have cost: the running total goes on from there while the price does. */
function openingOf({ carried }: Charge, price: Fen, whole: Units): Share | undefined {
  const [n, d] = carried?.cost.split("/") ?? [];
  if (carried?.price !== price || d !== String(whole)) return undefined;
  return { price: 1, from: 0, to: BigInt(n!) };
}

/** What a charge has cost in the last month of the table, and how many of its days it was charged for. */
export function chargedInLast(table: MonthTable, charge: Charge): Pick<Carried, "days" | "cost"> {
  const i = table.from.length - 1;
  const monthStart = table.starts[i]!;
  const monthDays = table.starts[i + 1]! - monthStart;
  const whole = charge.scale.whole(monthDays);
  const segments = charge.segments.filter((s) => s.to >= monthStart);
  if (!segments.length) return { days: 0, cost: `0/${BigInt(whole)}` };
  const from = Math.max(monthStart, segments[0]!.from);
  const to = segments.at(-1)!.to;
  const { part, to: last, paid } = partsOf(table, charge, { i, from, to, monthDays, segments }).at(-1)!;
  const [spent] = paid.before.split("/");
  const [added] = paid.exact.split("/");
  const days = "counted" in part ? part.counted + part.days : 0;
  const cost = `${BigInt(spent!) + BigInt(added!)}/${BigInt(whole)}` as const;
  return { days: days + (table.end - last), cost };
}
