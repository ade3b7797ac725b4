import { type Day, addDays, addMonths, dayNumber, maxDay, minDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { planBills } from "./bills.rules.ts";
import { chargedInLast } from "./charge.rules.ts";
import { rentCharge } from "./discounts.rules.ts";
import { chargedBefore, feeCharge, feeDays, feeStreams } from "./fees.rules.ts";
import type { Line, Plan } from "./line.rules.ts";
import { type MonthTable, monthIndex, monthTable } from "./months.rules.ts";
import { rentsAt } from "./steps.rules.ts";
import type { Carried, ScheduleInput } from "./terms.rules.ts";
import type { Charge } from "./write.rules.ts";

/** The last day that is charged when the tenant leaves. */
export const lastChargedDay = (leaveDate: Day, leaveDayCharged: boolean): Day =>
  leaveDayCharged ? leaveDate : addDays(leaveDate, -1);

/** The contract as if it ended on T, or as if only these rooms left then. T may be the day before the start: nothing was used. */
export function cutAt(input: ScheduleInput, lastDay: Day, roomIds?: readonly number[]): ScheduleInput {
  if (!roomIds) return { ...input, end: minDay(input.end, lastDay) };
  const rooms = input.rooms.map((room) =>
    roomIds.includes(room.roomId)
      ? { ...room, leaveDate: minDay(room.leaveDate ?? input.end, lastDay) }
      : room,
  );
  return { ...input, rooms };
}

/** A planned line and what is left of it. `back` is voided when unpaid and credited when paid; kept + back = the line. */
export type TrimRow = { billKey: string; line: Line; keptLine: Line | null; kept: Fen; back: Fen };
export type Trimmed = { input: ScheduleInput; plan: Plan; rows: TrimRow[]; kept: Fen; back: Fen };

const identity = (billKey: string, { kind, feeKey, roomId, item, from }: Line) =>
  `${billKey} ${kind} ${feeKey} ${roomId} ${item} ${from}`;

/**
 * Cuts a contract off after a day by charging it afresh to that day, as it was planned in the first place. The deposit stays
 * out of it.
 */
export function trim(
  input: ScheduleInput,
  lastDay: Day,
  roomIds?: readonly number[],
  planned: (input: ScheduleInput) => Plan = planBills,
): Trimmed {
  const cut = cutAt(input, lastDay, roomIds);
  const plan = planned(cut);
  const keptLines = new Map<string, Line>();
  for (const bill of plan.bills) for (const line of bill.lines) keptLines.set(identity(bill.key, line), line);
  const rows: TrimRow[] = [];
  for (const { key, lines } of planned(input).bills)
    for (const line of lines) {
      if (line.kind === "deposit") continue;
      const id = identity(key, line);
      const keptLine = keptLines.get(id) ?? null;
      keptLines.delete(id);
      const kept = keptLine?.amount ?? 0;
      rows.push({ billKey: key, line, keptLine, kept, back: line.amount - kept });
    }
  // A discount shared by rooms can reach a room only now that its neighbour's month is shorter.
  for (const bill of plan.bills)
    for (const line of bill.lines)
      if (keptLines.has(identity(bill.key, line)) && line.kind !== "deposit") {
        const nothing = { ...line, amount: 0, slices: [] };
        rows.push({
          billKey: bill.key,
          line: nothing,
          keptLine: line,
          kept: line.amount,
          back: -line.amount,
        });
      }
  const sum = (pick: (row: TrimRow) => Fen) => rows.reduce((total, row) => total + pick(row), 0);
  return { input: cut, plan, rows, kept: sum((r) => r.kept), back: sum((r) => r.back) };
}

type TakenOver = { anchorDate: Day; carriedDays: number; carried: Carried[] | undefined };

/**
 * What a contract that takes over on a day inherits: the anchor, how many days of that month the old one was charged for, and of
 * what had a step, free days or days of its own in that month, what exactly it has cost. With the rooms of `rentsAt`, steps,
 * free days and fees as they were, old and new add up to the whole.
 */
export function takeOver(old: ScheduleInput, day: Day): TakenOver {
  const { anchorDate } = old;
  const monthStart = addMonths(anchorDate, monthIndex(anchorDate, day));
  const own = dayNumber(day) - dayNumber(maxDay(monthStart, old.start));
  const inherited = old.start >= monthStart ? (old.carriedDays ?? 0) : 0;
  const carriedDays = own + inherited;
  const carried = carriedAt(old, day, carriedDays, day > monthStart);
  // an own key even when there is nothing: spread over the old terms it takes the place of what those had carried
  return { anchorDate, carriedDays, carried: carried.length ? carried : undefined };
}

function carriedAt(old: ScheduleInput, day: Day, carriedDays: number, inside: boolean): Carried[] {
  if (day <= old.start) return [...(old.carried ?? [])];
  const cut = cutAt(old, addDays(day, -1));
  const table = monthTable(cut);
  const rooms = rentsAt(old, day);
  const entry = (charge: Charge, price: number) =>
    inside ? entryOf(table, charge, price, carriedDays) : undefined;
  const rows = cut.rooms.map((room, i) => entry(rentCharge(cut, table, room), rooms[i]!.monthlyRent));
  const whole = feeStreams(cut, table);
  const fees = old.fees.map((fee, item): Carried | undefined => {
    if (fee.kind !== "recurring") return undefined;
    if (fee.prorate !== false) return entry(feeCharge(cut, table, fee, item), fee.amount);
    const last = whole[item]!.at(-1);
    const { from } = feeDays(old, fee);
    const period = lastPeriod(cut, fee, table);
    const charged = last !== undefined && last.amount > 0 && last.periodNo === period;
    const begun = from < day && (charged || (period === 1 && chargedBefore(cut, table, fee)));
    if (begun) return undefined;
    // of the whole term the months that passed without being charged are still open, the one that is cut counts anew
    const passed = table.from.filter(
      (month, i) => table.to[i]! >= from && month < day && table.starts[i + 1]! <= dayNumber(day),
    );
    const open = (fee.cycleMonths ?? old.cycleMonths) === 0 ? passed.length : 0;
    return { feeKey: fee.feeId, roomId: fee.roomId ?? null, price: fee.amount, days: 0, cost: "0/1", open };
  });
  return [...rows, ...fees].filter((row) => row !== undefined);
}

const lastPeriod = (input: ScheduleInput, fee: ScheduleInput["fees"][number], table: MonthTable): number =>
  feeCharge(input, table, fee, 0).periods.at(-1)!;

/** Nothing where the days and the price say it all. */
function entryOf(table: MonthTable, charge: Charge, price: number, carriedDays: number): Carried | undefined {
  const { days, cost } = chargedInLast(table, charge);
  const i = table.from.length - 1;
  const monthDays = table.starts[i + 1]! - table.starts[i]!;
  const units = charge.scale.units(carriedDays, monthDays);
  const plain = `${BigInt(price) * BigInt(units)}/${charge.scale.whole(monthDays)}`;
  if (days === carriedDays && cost === plain) return undefined;
  return { feeKey: charge.feeKey as Carried["feeKey"], roomId: charge.roomId, price, days, cost };
}
