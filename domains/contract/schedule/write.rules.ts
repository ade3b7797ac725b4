import { type Day, dayNumber } from "../../../platform/kernel/day.ts";
import { type Fen, type Ratio, decimal, ratio } from "../../../platform/kernel/fen.ts";
import type { FeeKey, Line, PricePart } from "./line.rules.ts";
import type { Basis, Carried, Decimal, RentFree, ScheduleInput } from "./terms.rules.ts";

/** Whole numbers that stay plain where they are exact; only prices per m² need more than 53 bits. */
export type Units = number | bigint;

export type AreaPrice = { unitPrice: Decimal; area: Decimal; rent: Fen };

/** The weight of a month's first n days as units ÷ whole. A full month always weighs 1. */
export type Scale = {
  basis: Basis;
  area?: AreaPrice;
  whole: (monthDays: number) => Units;
  units: (n: number, monthDays: number) => Units;
};

const ACTUAL: Scale = { basis: "actual", whole: (days) => days, units: (n) => n };
const THIRTY: Scale = { basis: "30", whole: () => 30, units: (n, days) => (n >= days ? 30 : n) };
const YEAR: Scale = { basis: "365", whole: () => 365, units: (n, days) => (n >= days ? 365 : 12 * n) };

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

function areaScale(area: AreaPrice): Scale {
  const price = decimal(area.unitPrice);
  const size = decimal(area.area);
  const perDay = price.n * size.n * 100n;
  const month = price.d * size.d * BigInt(area.rent);
  const g = gcd(perDay, month);
  const whole = month / g;
  const day = perDay / g;
  const units = (n: number, days: number) => {
    const sum = BigInt(n) * day;
    return n >= days || sum > whole ? whole : sum;
  };
  return { basis: "area", area, whole: () => whole, units };
}

/**
 * Without a price per m² the area basis falls back on 365: there a month costs 365/12 days, so the weights are the same.
 * That is also how fees of a shop follow its rent.
 */
export function scaleOf(basis: Basis, area?: AreaPrice | null): Scale {
  if (basis === "actual") return ACTUAL;
  if (basis === "30") return THIRTY;
  return basis === "area" && area && area.rent > 0 ? areaScale(area) : YEAR;
}

/** W(n): the share of a month's rent that its first n days cost. */
export function weight(basis: Basis, n: number, monthDays: number, area?: AreaPrice | null): Ratio {
  const scale = scaleOf(basis, area);
  return ratio(scale.units(n, monthDays), scale.whole(monthDays));
}

/** Days (as numbers, inclusive) at one price. Free days keep the price that would have counted. */
export type Segment = { from: number; to: number; price: Fen; free: boolean };
export type PriceFrom = { from: number; price: Fen };

/** Days at one price, cut in two where `day` lies inside. */
const splitBefore = (day: number, row: Segment): Segment[] =>
  row.from < day && day <= row.to
    ? [
        { ...row, to: day - 1 },
        { ...row, from: day },
      ]
    : [row];

/** Cuts from..to where the price changes, free days begin or end, and before `splitAt`. Other equal neighbours are one. */
export function segments(
  from: number,
  to: number,
  prices: readonly PriceFrom[],
  free: readonly RentFree[],
  splitAt?: Day | null,
): Segment[] {
  const rows = priced(from, to, prices, free);
  return splitAt ? rows.flatMap((row) => splitBefore(dayNumber(splitAt), row)) : rows;
}

function priced(
  from: number,
  to: number,
  prices: readonly PriceFrom[],
  free: readonly RentFree[],
): Segment[] {
  if (from > to) return [];
  if (prices.length === 1 && free.length === 0) return [{ from, to, price: prices[0]!.price, free: false }];
  const ranges = free.map((f) => ({ from: dayNumber(f.fromDate), to: dayNumber(f.toDate) }));
  const cuts = new Set([from]);
  for (const p of prices) cuts.add(p.from);
  for (const r of ranges) cuts.add(r.from).add(r.to + 1);
  const starts = [...cuts].filter((day) => day >= from && day <= to).sort((a, b) => a - b);
  const rows: Segment[] = [];
  starts.forEach((day, i) => {
    const price = (prices.findLast((p) => p.from <= day) ?? prices[0]!).price;
    const isFree = ranges.some((r) => r.from <= day && day <= r.to);
    const last = rows.at(-1);
    const end = (starts[i + 1] ?? to + 1) - 1;
    if (last && last.price === price && last.free === isFree) last.to = end;
    else rows.push({ from: day, to: end, price, free: isFree });
  });
  return rows;
}

/** One thing that is charged month by month: the rent of a room, or a recurring fee. */
export type Charge = {
  kind: "rent" | "fee";
  feeKey: FeeKey;
  roomId: number | null;
  item: number | null;
  /** Without gap, in order; they say from when to when it is charged. */
  segments: readonly Segment[];
  /** Period number of each month of the table. */
  periods: readonly number[];
  scale: Scale;
  /** Days of the term's first month that a predecessor charged; they weigh on this charge if it begins with the term. */
  carriedDays: number;
  carried: Carried | undefined;
  termsVersion: number;
};

/** What the predecessor charged of a rent or fee, where it says more than its days. */
export const carriedOf = (
  { carried }: Pick<ScheduleInput, "carried">,
  feeKey: Carried["feeKey"],
  roomId: number | null,
): Carried | undefined => carried?.find((c) => c.feeKey === feeKey && c.roomId === roomId);

/** Days of one month at one price, already charged. forgone = what free days would have cost. */
export type Stretch = {
  segment: Segment;
  periodNo: number;
  from: Day;
  to: Day;
  /** The month's first charged day: a line has one slice for each month. */
  monthFrom: Day;
  part: PricePart;
  amount: Fen;
  forgone: Fen;
};

const FORMULA: Record<Basis, string> = {
  actual: "月租 × 天数 ÷ 当月天数",
  "30": "月租 × 天数 ÷ 30，满月按一个月",
  "365": "月租 × 12 × 天数 ÷ 365，满月按一个月",
  area: "单价 × 面积 × 天数，满月按一个月",
};

/** Neighbours of the same price inside one period make one line; free days make one whatever their price. */
export function writeLine(
  lines: Line[],
  charge: Charge,
  before: Segment | undefined,
  stretch: Stretch,
): void {
  const { segment, periodNo } = stretch;
  const line = lines.at(-1);
  const goesOn = before === segment || (before?.free && segment.free);
  if (line && goesOn && line.periodNo === periodNo) extend(line, stretch);
  else lines.push(open(charge, stretch));
}

function open(charge: Charge, { segment, periodNo, from, to, part, amount, forgone }: Stretch): Line {
  const { kind, feeKey, roomId, item, scale, termsVersion } = charge;
  const { days } = part;
  const slices = [{ from, to, amount }];
  const line = { kind, feeKey, roomId, item, periodNo, from, to, amount, slices };
  if (segment.free)
    return {
      ...line,
      explain: { rule: "free", formula: "免租", rounding: "none", termsVersion, days, forgone },
    };
  const { basis, area } = scale;
  const why = { formula: FORMULA[basis], rounding: "halfUp" as const, termsVersion, basis, days };
  return {
    ...line,
    explain: area ? { rule: kind, ...why, parts: [part], area } : { rule: kind, ...why, parts: [part] },
  };
}

function extend(line: Line, { from, to, monthFrom, part, amount, forgone }: Stretch): void {
  line.to = to;
  line.amount += amount;
  const slice = line.slices.at(-1)!;
  // inside a month only free days go on: they add nothing
  if (slice.from >= monthFrom) slice.to = to;
  else line.slices.push({ from, to, amount });
  const { explain } = line;
  if (explain.rule === "free") {
    explain.days += part.days;
    explain.forgone += forgone;
  } else if (explain.rule === "rent" || explain.rule === "fee") {
    explain.days += part.days;
    const last = explain.parts.at(-1)!;
    if (last.months && part.months) {
      last.months += part.months;
      last.days += part.days;
    } else explain.parts.push(part);
  }
}
