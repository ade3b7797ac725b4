import { addDays, dayNumber, maxDay, minDay, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { chargeLines } from "./charge.rules.ts";
import type { Line } from "./line.rules.ts";
import { monthTable, periodNumbers, periodsOf, type MonthTable } from "./months.rules.ts";
import { type Charge, type Segment, carriedOf, scaleOf, segments } from "./write.rules.ts";
import type { CycleMonths, ScheduleFee, ScheduleInput } from "./terms.rules.ts";

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

/** A recurring fee by the day as something that is charged month by month. */
export const feeCharge = (
  input: ScheduleInput,
  table: MonthTable,
  fee: ScheduleFee,
  item: number,
): Charge => ({
  kind: "fee",
  feeKey: fee.feeId,
  roomId: fee.roomId ?? null,
  item,
  segments: feeSegments(input, fee),
  periods: periodNumbers(table, feeCycle(input, fee)),
  scale: scaleOf(fee.basis ?? input.basis),
  carriedDays: input.carriedDays ?? 0,
  carried: carriedOf(input, fee.feeId, fee.roomId ?? null),
  termsVersion: input.termsVersion ?? 1,
});

/** The lines of each fee, in the order of the fees; empty for those that do not recur, or that are the occupants' own. */
export const feeStreams = (input: ScheduleInput, table: MonthTable): Line[][] =>
  input.fees.map((fee, item) => {
    if (fee.kind !== "recurring" || fee.payer === "occupant") return [];
    return fee.prorate === false
      ? wholePeriods(input, table, fee, item)
      : chargeLines(table, feeCharge(input, table, fee, item));
  });

export const feeLines = (input: ScheduleInput): Line[] => feeStreams(input, monthTable(input)).flat();

/** Days of a started period of a fee that is whole, the months of the table in them, and how many months it costs. */
type Part = { from: Day; to: Day; inside: number[]; months: number; free: boolean };

/**
 * Where a period is cut in two, the earlier part costs what it would cost if the contract ended there, the later takes the rest:
 * of the whole term the months begun, of other periods all; nothing while every day before the cut is free.
 */
function partsOf(
  table: MonthTable,
  whole: Part,
  splitAt: Day,
  cycle: CycleMonths,
  rows: readonly Segment[],
): Part[] {
  const { from, to, inside, months } = whole;
  if (whole.free || splitAt <= from || splitAt > to) return [whole];
  const upTo = addDays(splitAt, -1);
  const within = (a: Day, b: Day) => inside.filter((i) => table.to[i]! >= a && table.from[i]! <= b);
  if (isFree(rows, from, upTo))
    return [
      { from, to: upTo, inside: within(from, upTo), months: 0, free: true },
      { ...whole, from: splitAt, inside: within(splitAt, to) },
    ];
  const later = inside.filter((i) => table.from[i]! >= splitAt);
  if (cycle !== 0 || !later.length) return [whole];
  const begun = inside.slice(0, -later.length);
  return [
    { ...whole, to: table.to[begun.at(-1)!]!, inside: begun, months: months - later.length },
    { ...whole, from: table.from[later[0]!]!, inside: later, months: later.length },
  ];
}

function isFree(rows: readonly Segment[], from: Day, to: Day): boolean {
  const [a, b] = [dayNumber(from), dayNumber(to)];
  return rows.every((r) => r.free || r.to < a || r.from > b);
}

/** Whether a predecessor has charged the period that the first day lies in. */
export function chargedBefore(input: ScheduleInput, table: MonthTable, fee: ScheduleFee): boolean {
  const cycle = feeCycle(input, fee);
  const within = cycle === 0 || table.starts[0]! < table.start || table.first % cycle !== 0;
  return (
    input.carriedDays != null && within && carriedOf(input, fee.feeId, fee.roomId ?? null)?.open === undefined
  );
}

/**
 * Every started period costs all its months. A period that is free from end to end costs nothing,
 * and one that a predecessor began (for the whole term: its month) was charged there.
 */
function wholePeriods(input: ScheduleInput, table: MonthTable, fee: ScheduleFee, item: number): Line[] {
  const cycle = feeCycle(input, fee);
  const rows = feeSegments(input, fee);
  const numbers = periodNumbers(table, cycle);
  const carried = carriedOf(input, fee.feeId, fee.roomId ?? null);
  const before = chargedBefore(input, table, fee);
  const begunBefore = before && (cycle !== 0 || table.starts[0]! < table.start);
  const { from: begin, to: last } = feeDays(input, fee);
  const lines: Line[] = [];
  for (const period of periodsOf(table, cycle)) {
    const from = maxDay(period.from, begin);
    const to = minDay(period.to, last);
    if (from > to || (begunBefore && period.no === 1 && cycle !== 0)) continue;
    const inside = table.from.flatMap((_, i) =>
      numbers[i] === period.no && table.to[i]! >= from && table.from[i]! <= to ? [i] : [],
    );
    const own = inside.length + (carried?.open ?? 0) - (begunBefore && inside[0] === 0 ? 1 : 0);
    // of the whole term a free rest is charged too once a predecessor has charged its beginning
    const free = !(before && cycle === 0) && isFree(rows, from, to);
    const whole = { from, to, inside, months: cycle || own, free };
    const parts = input.splitAt ? partsOf(table, whole, input.splitAt, cycle, rows) : [whole];
    const inMonth = (i: number) => (begunBefore && i === 0 ? 0 : fee.amount);
    lines.push(
      ...parts.map((part) => wholeLine(input, table, { fee, item, periodNo: period.no, part, inMonth })),
    );
  }
  return lines;
}

type WholeFee = {
  fee: ScheduleFee;
  item: number;
  periodNo: number;
  part: Part;
  inMonth: (i: number) => Fen;
};

function wholeLine(
  input: ScheduleInput,
  table: MonthTable,
  { fee, item, periodNo, part, inMonth }: WholeFee,
): Line {
  const { from, to, inside, months, free } = part;
  const amount = free ? 0 : fee.amount * months;
  // What exceeds the months that are there stands in the last one, so that a cut never changes those before it.
  const each = inside.map((i) => (free ? 0 : inMonth(i)));
  const over = amount - each.reduce((sum, fen) => sum + fen, 0);
  const why = { termsVersion: input.termsVersion ?? 1, rounding: "none" as const };
  const days = dayNumber(to) - dayNumber(from) + 1;
  return {
    kind: "fee",
    feeKey: fee.feeId,
    roomId: fee.roomId ?? null,
    item,
    periodNo,
    from,
    to,
    amount,
    slices: inside.map((i, k) => ({
      from: maxDay(table.from[i]!, from),
      to: minDay(table.to[i]!, to),
      amount: each[k]! + (k === inside.length - 1 ? over : 0),
    })),
    explain: free
      ? { ...why, rule: "free", formula: "免租", days, forgone: fee.amount * months }
      : {
          ...why,
          rule: "wholePeriod",
          formula: "每月金额 × 周期月数，不足整期按整期",
          price: fee.amount,
          months,
        },
  };
}
