import {
  type Day,
  addDays,
  addMonths,
  dayNumber,
  daysBetween,
  monthsFrom,
} from "../../../platform/kernel/day.ts";
import type { CycleMonths, ScheduleInput } from "./terms.rules.ts";

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

type Term = Pick<ScheduleInput, "start" | "end" | "anchorDate">;

/** The contract months of a term, as day numbers and, cut to the term, as days. */
export type MonthTable = {
  /** Number of the first month, counted from the anchor. */
  first: number;
  start: number;
  end: number;
  /** Where each whole month begins; one entry more than there are months. */
  starts: number[];
  from: Day[];
  to: Day[];
};

/** Number of the contract month that holds a day, counted from the anchor's own month 0. */
export function monthIndex(anchor: Day, day: Day): number {
  const index = monthsFrom(anchor, day) - 1;
  return addMonths(anchor, index) > day ? index - 1 : index;
}

export function monthTable({ start, end, anchorDate }: Term): MonthTable {
  const first = monthIndex(anchorDate, start);
  const next = monthStarts(anchorDate, first);
  const table: MonthTable = {
    first,
    start: dayNumber(start),
    end: dayNumber(end),
    starts: [next().number],
    from: [],
    to: [],
  };
  // counted in numbers: as texts, days of a year with five digits come before all others
  for (let [number, from] = [table.start, start]; number <= table.end;) {
    const month = next();
    table.starts.push(month.number);
    table.from.push(from);
    table.to.push(month.number > table.end ? end : month.dayBefore);
    number = month.number;
    from = month.day;
  }
  return table;
}

/** Number of the period that each month of the table belongs to, counted from 1. */
export const periodNumbers = (table: MonthTable, cycle: CycleMonths): number[] =>
  table.from.map((_, i) =>
    cycle === 0 ? 1 : Math.floor((table.first + i) / cycle) - Math.floor(table.first / cycle) + 1,
  );

/** One month of the contract, cut to the term; monthDays = days of the uncut month. */
export type ContractMonth = { no: number; from: Day; to: Day; days: number; monthDays: number };

/** Month by month from the anchor, clamped to the month's last day, the first and last cut to the term. */
export function contractMonths(term: Term): ContractMonth[] {
  const table = monthTable(term);
  return table.from.map((from, i) => ({
    no: i + 1,
    from,
    to: table.to[i]!,
    days: dayNumber(table.to[i]!) - dayNumber(from) + 1,
    monthDays: table.starts[i + 1]! - table.starts[i]!,
  }));
}

export type BillingPeriod = { no: number; from: Day; to: Day; months: number };

export function periodsOf(table: MonthTable, cycle: CycleMonths): BillingPeriod[] {
  const rows: BillingPeriod[] = [];
  periodNumbers(table, cycle).forEach((no, i) => {
    const row = rows[no - 1];
    if (row) {
      row.to = table.to[i]!;
      row.months++;
    } else rows.push({ no, from: table.from[i]!, to: table.to[i]!, months: 1 });
  });
  return rows;
}

/** The billing periods: they tile the term, without gap or overlap. */
export const periods = (input: Term & Pick<ScheduleInput, "cycleMonths">, cycle = input.cycleMonths) =>
  periodsOf(monthTable(input), cycle);

export const anchorFor = (start: Day, calendarPeriods: boolean): Day =>
  calendarPeriods ? `${start.slice(0, 8)}01` : start;

/** Last day of a term of n months. */
export const endAfter = (start: Day, months: number): Day => addDays(addMonths(start, months), -1);

/** How long the term is, in words: 24 个月, or 3 个月零 5 天. */
export function termText(start: Day, end: Day): string {
  const months = contractMonths({ start, end, anchorDate: start });
  const last = months.at(-1)!;
  const whole = last.days === last.monthDays ? months.length : months.length - 1;
  const rest = whole === months.length ? 0 : daysBetween(addMonths(start, whole), end) + 1;
  return [whole && `${whole} 个月`, rest && `${rest} 天`].filter(Boolean).join("零 ");
}
