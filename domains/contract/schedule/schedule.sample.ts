import { endAfter } from "./months.rules.ts";
import type { ScheduleInput, ScheduleRoom } from "./terms.rules.ts";

export type SampleTerms = Partial<Omit<ScheduleInput, "rooms">> & {
  months?: number;
  /** Rent of the one room, in fen. */
  rent?: number;
  room?: Partial<ScheduleRoom>;
  rooms?: (Partial<ScheduleRoom> & Pick<ScheduleRoom, "roomId" | "monthlyRent">)[];
};

/** A contract of one room for a year, 押一付一, 3,000.00 a month, unless told otherwise. */
export function aSchedule({
  months = 12,
  rent = 300_000,
  room = {},
  rooms,
  ...terms
}: SampleTerms = {}): ScheduleInput {
  const start = terms.start ?? "2026-03-01";
  return {
    start,
    end: endAfter(start, months),
    anchorDate: terms.calendarPeriods ? `${start.slice(0, 8)}01` : start,
    calendarPeriods: false,
    cycleMonths: 1,
    pricing: "month",
    basis: "actual",
    rentRounding: "fen",
    steps: [],
    rentFree: [],
    fees: [],
    discounts: [],
    deposit: { mode: "months", months: "1" },
    due: { rule: "advance", dueDays: 7 },
    billGrouping: "period",
    ...terms,
    rooms: (rooms ?? [{ roomId: 1, monthlyRent: rent, ...room }]).map((r) => ({ joinDate: start, ...r })),
  };
}
