import { dayNumber, maxDay, minDay, type Day } from "../../../platform/kernel/day.ts";
import { chargeLines } from "./charge.rules.ts";
import type { Line } from "./line.rules.ts";
import { monthTable, periodNumbers, periodsOf, type BillingPeriod, type MonthTable } from "./months.rules.ts";
import { segments, type Segment } from "./prices.rules.ts";
import type { CycleMonths, ScheduleFee, ScheduleInput } from "./terms.rules.ts";
import { scaleOf } from "./weight.rules.ts";

export const feeCycle = (input: ScheduleInput, fee: ScheduleFee): CycleMonths =>
  fee.cycleMonths ?? input.cycleMonths;

/** The days a fee runs: its own, inside its room's, inside the term. */
export function feeDays(input: ScheduleInput, fee: ScheduleFee): { from: Day; to: Day } {
  const room = fee.roomId == null ? undefined : input.rooms.find((r) => r.roomId === fee.roomId);
  const from = maxDay(maxDay(input.start, fee.fromDate ?? input.start), room?.joinDate ?? input.start);
  const to = minDay(minDay(input.end, fee.toDate ?? input.end), room?.leaveDate ?? input.end);
  return { from, to };
}

function feeSegments(input: ScheduleInput, fee: ScheduleFee): Segment[] {
  const { from, to } = feeDays(input, fee);
  const free = input.rentFree.filter(
    (f) => f.feeIds?.includes(fee.feeId) && (f.roomId == null || f.roomId === fee.roomId),
  );
  const start = dayNumber(from);
  return segments(start, dayNumber(to), [{ from: start, price: fee.amount }], free, input.splitAt);
}

/** The lines of each fee, in the order of the fees; empty for those that do not recur. */
export function feeStreams(input: ScheduleInput, table: MonthTable): Line[][] {
  return input.fees.map((fee, item) => {
    if (fee.kind !== "recurring") return [];
    const rows = feeSegments(input, fee);
    if (fee.prorate === false) return wholePeriods(input, table, fee, item, rows);
    return chargeLines(table, {
      kind: "fee",
      feeKey: fee.feeId,
      roomId: fee.roomId ?? null,
      item,
      segments: rows,
      periods: periodNumbers(table, feeCycle(input, fee)),
      scale: scaleOf(fee.basis ?? input.basis),
      carriedDays: input.carriedDays ?? 0,
      termsVersion: input.termsVersion ?? 1,
    });
  });
}

export const feeLines = (input: ScheduleInput): Line[] => feeStreams(input, monthTable(input)).flat();

/** The whole term as one period; where it is split, the month that holds the split still belongs to the first part. */
function termOf(table: MonthTable, splitAt: Day | null | undefined): BillingPeriod[] {
  const rows = periodsOf(table, 0);
  const second = splitAt ? table.from.findIndex((from) => from >= splitAt) : -1;
  return second <= 0
    ? rows
    : rows.flatMap((whole) => [
        { ...whole, to: table.to[second - 1]!, months: second },
        { ...whole, from: table.from[second]!, months: whole.months - second },
      ]);
}

/**
 * Every started period costs all its months. A period that is free from end to end costs nothing,
 * and one that a predecessor began (for the whole term: its month) was charged there.
 */
function wholePeriods(
  input: ScheduleInput,
  table: MonthTable,
  fee: ScheduleFee,
  item: number,
  rows: readonly Segment[],
): Line[] {
  const cycle = feeCycle(input, fee);
  const numbers = periodNumbers(table, cycle);
  const begunBefore =
    input.carriedDays != null && (table.starts[0]! < table.start || table.first % (cycle || 1) !== 0);
  const { from: begin, to: last } = feeDays(input, fee);
  const lines: Line[] = [];
  for (const period of cycle === 0 ? termOf(table, input.splitAt) : periodsOf(table, cycle)) {
    const from = maxDay(period.from, begin);
    const to = minDay(period.to, last);
    if (from > to || (begunBefore && period.no === 1 && cycle !== 0)) continue;
    const a = dayNumber(from);
    const b = dayNumber(to);
    const free = rows.every((r) => r.free || r.to < a || r.from > b);
    const inside = table.from.flatMap((_, i) =>
      numbers[i] === period.no && table.to[i]! >= from && table.from[i]! <= to ? [i] : [],
    );
    const months = cycle || inside.length - (begunBefore && inside[0] === 0 ? 1 : 0);
    const amount = free ? 0 : fee.amount * months;
    // What exceeds the months that are there stands in the last one, so that a cut never changes those before it.
    const inMonth = (i: number) => (free || (begunBefore && i === 0) ? 0 : fee.amount);
    const over = amount - inside.reduce((sum, i) => sum + inMonth(i), 0);
    const why = { termsVersion: input.termsVersion ?? 1, rounding: "none" as const };
    lines.push({
      kind: "fee",
      feeKey: fee.feeId,
      roomId: fee.roomId ?? null,
      item,
      periodNo: period.no,
      from,
      to,
      amount,
      slices: inside.map((i, k) => ({
        from: maxDay(table.from[i]!, from),
        to: minDay(table.to[i]!, to),
        amount: inMonth(i) + (k === inside.length - 1 ? over : 0),
      })),
      explain: free
        ? { ...why, rule: "free", formula: "免租", days: b - a + 1, forgone: fee.amount * months }
        : {
            ...why,
            rule: "wholePeriod",
            formula: "每月金额 × 周期月数，不足整期按整期",
            price: fee.amount,
            months,
          },
    });
  }
  return lines;
}
