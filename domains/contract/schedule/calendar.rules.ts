import { dayNumber, type Day } from "../../../platform/kernel/day.ts";

/**
 * Month starts counted on in plain integers. A schedule needs two days for every month of every contract, and going through
 * date objects for each of them would take longer than all the rest.
 */
export type MonthStart = { number: number; day: Day; dayBefore: Day };

const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const TWO = Array.from({ length: 32 }, (_, n) => String(n).padStart(2, "0"));

const isLeap = (year: number) => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
const lengthOfMonth = (year: number, month: number) => (month === 1 && isLeap(year) ? 29 : LENGTHS[month]!);
const text = (year: number, month: number, day: number): Day =>
  `${String(year).padStart(4, "0")}-${TWO[month + 1]}-${TWO[day]}`;

/** The starts of contract months from one index on, each counted from the anchor and clamped to its month's last day. */
export function monthStarts(anchor: Day, index: number): () => MonthStart {
  const anchorDay = Number(anchor.slice(8));
  const months = Number(anchor.slice(0, 4)) * 12 + Number(anchor.slice(5, 7)) - 1 + index;
  let year = Math.floor(months / 12);
  let month = months % 12;
  let first = dayNumber(text(year, month, 1));
  return () => {
    const length = lengthOfMonth(year, month);
    const day = Math.min(anchorDay, length);
    const beforeYear = month === 0 ? year - 1 : year;
    const beforeMonth = month === 0 ? 11 : month - 1;
    const start = {
      number: first + day - 1,
      day: text(year, month, day),
      dayBefore:
        day > 1
          ? text(year, month, day - 1)
          : text(beforeYear, beforeMonth, lengthOfMonth(beforeYear, beforeMonth)),
    };
    first += length;
    month = month === 11 ? 0 : month + 1;
    if (month === 0) year++;
    return start;
  };
}
