import { type Day, addDays, dayNumber } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const DAY_KIND = { off: ["放假", "grey"], work: ["调休上班", "grey"] } as const satisfies Words;
export type DayKind = keyof typeof DAY_KIND;

/** Days that are no ordinary ones. What is not named is worked from Monday to Friday. */
export type SpecialDays = ReadonlyMap<Day, DayKind>;

/** 1970-01-01 was a Thursday. */
const isWeekend = (day: Day): boolean => (dayNumber(day) + 3) % 7 >= 5;

export const isWorkday = (day: Day, special: SpecialDays): boolean =>
  (special.get(day) ?? (isWeekend(day) ? "off" : "work")) === "work";

/** So many workdays after a day; with none the day itself, or the first workday after it. */
export function workdayAfter(day: Day, count: number, special: SpecialDays): Day {
  let at = day;
  for (let left = count; left > 0 || !isWorkday(at, special);) {
    at = addDays(at, 1);
    if (left > 0 && isWorkday(at, special)) left--;
  }
  return at;
}
