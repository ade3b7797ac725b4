import { dayNumber, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { RentFree } from "./terms.rules.ts";

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
