import { dayNumber, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { chargeLines } from "./charge.rules.ts";
import type { Line } from "./line.rules.ts";
import { monthTable, periodNumbers, type MonthTable } from "./months.rules.ts";
import { segments, type Segment } from "./prices.rules.ts";
import { firstRent, roomPrices } from "./steps.rules.ts";
import type { ScheduleInput, ScheduleRoom } from "./terms.rules.ts";
import { scaleOf, type Scale } from "./weight.rules.ts";
import { carriedOf, type Charge } from "./write.rules.ts";

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
