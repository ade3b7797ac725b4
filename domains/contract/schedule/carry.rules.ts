import { addDays, addMonths, dayNumber, maxDay, type Day } from "../../../platform/kernel/day.ts";
import { chargedInLast } from "./charge.rules.ts";
import { chargedBefore, feeCharge, feeDays, feeStreams } from "./fees.rules.ts";
import { monthIndex, monthTable, type MonthTable } from "./months.rules.ts";
import { rentCharge } from "./discounts.rules.ts";
import { rentsAt } from "./steps.rules.ts";
import type { Carried, ScheduleInput } from "./terms.rules.ts";
import { cutAt } from "./trim.rules.ts";
import type { Charge } from "./write.rules.ts";

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
