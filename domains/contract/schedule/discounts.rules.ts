import { type Day, dayNumber, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { type Fen, decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import { chargeLines } from "./charge.rules.ts";
import { feeStreams } from "./fees.rules.ts";
import type { DiscountExplain, Line, MonthOff, SharedOff } from "./line.rules.ts";
import { type MonthTable, monthTable, periodNumbers } from "./months.rules.ts";
import { type Charge, type Scale, type Segment, carriedOf, scaleOf, segments } from "./write.rules.ts";
import { firstRent, roomPrices } from "./steps.rules.ts";
import type { ScheduleDiscount, ScheduleInput, ScheduleRoom } from "./terms.rules.ts";

/** From when to when a room is charged, and at which prices. */
export function roomSegments(input: ScheduleInput, room: ScheduleRoom): Segment[] {
  const to = room.leaveDate ? minDay(input.end, room.leaveDate) : input.end;
  const free = input.rentFree.filter((f) => f.roomId == null || f.roomId === room.roomId);
  const from = dayNumber(maxDay(input.start, room.joinDate));
  return segments(from, dayNumber(to), roomPrices(input, room), free, input.splitAt);
}

export function roomScale(input: ScheduleInput, room: ScheduleRoom): Scale {
  const { unitPrice, area } = room;
  if (input.basis !== "area" || !unitPrice || !area) return scaleOf(input.basis);
  return scaleOf("area", { unitPrice, area, rent: room.baseRent ?? firstRent(input, room) });
}

/** The rent of a room as something that is charged month by month. */
export function rentCharge(input: ScheduleInput, table: MonthTable, room: ScheduleRoom): Charge {
  return {
    kind: "rent",
    feeKey: "rent",
    roomId: room.roomId,
    item: null,
    segments: roomSegments(input, room),
    periods: periodNumbers(table, input.cycleMonths),
    scale: roomScale(input, room),
    carriedDays: input.carriedDays ?? 0,
    carried: carriedOf(input, "rent", room.roomId),
    termsVersion: input.termsVersion ?? 1,
  };
}

/** The rent lines of each room, in the order of the rooms. */
export const rentStreams = (input: ScheduleInput, table: MonthTable): Line[][] =>
  input.rooms.map((room) => chargeLines(table, rentCharge(input, table, room)));

export const rentLines = (input: ScheduleInput): Line[] => rentStreams(input, monthTable(input)).flat();

const RANK: Record<ScheduleDiscount["kind"], number> = { firstMonths: 0, percent: 1, amount: 2 };

/** What is left to pay of one contract month of a rent or fee, and the line it stands in. */
type MonthLeft = { from: Day; to: Day; left: Fen; line: Line };

function monthsLeft(table: MonthTable, lines: readonly Line[]): (MonthLeft | undefined)[] {
  const rows: (MonthLeft | undefined)[] = table.from.map(() => undefined);
  let i = 0;
  for (const line of lines)
    for (const { from, to, amount } of line.slices) {
      while (from > table.to[i]!) i++;
      const row = rows[i];
      if (row) {
        row.to = to;
        row.left += amount;
      } else rows[i] = { from, to, left: amount, line };
    }
  return rows;
}

/** The part of a whole that falls to `left`, rounded on the running total, so that the parts add up. */
export function sharedOff({ budget, whole, skipped, base }: Omit<SharedOff, "month">): Fen {
  if (budget >= whole) return base;
  const upTo = (sum: Fen) => halfUp(times(ratio(budget, whole), ratio(sum)));
  return upTo(skipped + base) - upTo(skipped);
}

export const percentOff = (base: Fen, percent: string): Fen =>
  halfUp(times(times(ratio(base), decimal(percent)), ratio(1, 100)));

type Off = { i: number; amount: Fen; part: MonthOff | SharedOff };

/** What one discount takes off each month of each stream; it lowers what is left for those after it. */
function takeOff(discount: ScheduleDiscount, streams: (MonthLeft | undefined)[][], count: number): Off[][] {
  const rows: Off[][] = streams.map(() => []);
  const { kind, value } = discount;
  const first = discount.fromMonth ?? 1;
  const last = kind === "firstMonths" ? first + Number(value) - 1 : (discount.toMonth ?? count);
  let budget = kind === "amount" ? Number(value) : 0;
  for (let i = first - 1; i < Math.min(last, count); i++) {
    const whole = streams.reduce((sum, months) => sum + (months[i]?.left ?? 0), 0);
    let skipped = 0;
    let spent = 0;
    streams.forEach((months, k) => {
      const row = months[i];
      if (!row || row.left <= 0) return;
      const base = row.left;
      let part: MonthOff | SharedOff = { month: i + 1, base };
      let amount = base;
      if (kind === "percent") amount = Math.min(base, percentOff(base, value));
      else if (kind === "amount") {
        part = { ...part, budget, whole, skipped };
        amount = sharedOff({ base, budget, whole, skipped });
      }
      skipped += base;
      spent += amount;
      row.left -= amount;
      if (amount > 0) rows[k]!.push({ i, amount, part });
    });
    if (kind === "amount" && !discount.everyMonth) budget -= spent;
  }
  return rows;
}

function explainOf({ kind, value }: ScheduleDiscount, termsVersion: number, parts: Off[]): DiscountExplain {
  if (kind === "amount") {
    const shared = parts.flatMap(({ part }) => ("budget" in part ? [part] : []));
    const why = { formula: "减免金额", rounding: "halfUp" as const, termsVersion };
    return { rule: "amountOff", ...why, value, parts: shared };
  }
  const months = parts.map((p) => p.part);
  if (kind === "percent") {
    const why = { formula: "当月应收 × 优惠比例", rounding: "halfUp" as const, termsVersion };
    return { rule: "percentOff", ...why, value, parts: months };
  }
  return { rule: "firstMonths", formula: "当月全免", rounding: "none", termsVersion, value, parts: months };
}

/**
 * Discounts of each stream of lines, in the order firstMonths → percent → amount: one negative line for each discount
 * and period, in whole months that never go below 0.
 */
export function discountStreams(
  input: ScheduleInput,
  table: MonthTable,
  streams: readonly Line[][],
): Line[][] {
  const result: Line[][] = streams.map(() => []);
  if (input.discounts.length === 0) return result;
  const left = streams.map((lines) => monthsLeft(table, lines));
  const order = input.discounts
    .map((discount, item) => ({ discount, item }))
    .sort((a, b) => RANK[a.discount.kind] - RANK[b.discount.kind] || a.discount.order - b.discount.order);
  for (const { discount, item } of order) {
    const fees = discount.feeIds ?? [];
    const meant = streams.flatMap((lines, k) => {
      const key = lines[0]?.feeKey;
      return fees.length ? (fees.some((id) => id === key) ? [k] : []) : key === "rent" ? [k] : [];
    });
    const off = takeOff(
      discount,
      meant.map((k) => left[k]!),
      table.from.length,
    );
    meant.forEach((k, n) => {
      const periods = Map.groupBy(off[n]!, ({ i }) => left[k]![i]!.line.periodNo);
      for (const [periodNo, parts] of periods) {
        const slices = parts.map(({ i, amount }) => ({ ...sliceOf(left[k]![i]!), amount: -amount }));
        const { feeKey, roomId } = left[k]![parts[0]!.i]!.line;
        result[k]!.push({
          kind: "discount",
          feeKey,
          roomId,
          item,
          periodNo,
          from: slices[0]!.from,
          to: slices.at(-1)!.to,
          amount: slices.reduce((sum, s) => sum + s.amount, 0),
          slices,
          explain: explainOf(discount, input.termsVersion ?? 1, parts),
        });
      }
    });
  }
  // Inside one period the order of the discounts stands.
  return result.map((lines) => lines.sort((a, b) => a.periodNo - b.periodNo));
}

const sliceOf = ({ from, to }: MonthLeft) => ({ from, to });

export function discountLines(input: ScheduleInput): Line[] {
  const table = monthTable(input);
  const streams = [...rentStreams(input, table), ...feeStreams(input, table)];
  return discountStreams(input, table, streams).flat();
}
