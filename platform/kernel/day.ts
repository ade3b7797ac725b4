/** A business date `YYYY-MM-DD`. Days compare as strings. Arithmetic is on the proleptic Gregorian calendar, without time zones. */
export type Day = string;
/** A calendar month `YYYY-MM`. */
export type Month = string;
/** Inclusive at both ends. */
export type Period = { from: Day; to: Day };

const MS = 86_400_000;
const pad = (n: number, width = 2) => String(n).padStart(width, "0");

/** Days since 1970-01-01. */
export const dayNumber = (day: Day): number =>
  Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10))) / MS;

export function dayOf(number: number): Day {
  const at = new Date(number * MS);
  return `${pad(at.getUTCFullYear(), 4)}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())}`;
}

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && dayOf(dayNumber(text)) === text;

/** The days that business may be planned, booked or asked about: every date and instant that comes in lies here. */
export const BUSINESS_DAYS: Period = { from: "2000-01-01", to: "2099-12-31" };
/** The days of people and papers: births, validity of licences and certificates. */
export const LIFE_DAYS: Period = { from: "1900-01-01", to: "2199-12-31" };
export const isBusinessDay = (text: string): boolean => isDay(text) && contains(BUSINESS_DAYS, text);
/** "2000年至2099年" */
export const yearsOf = (p: Period): string => `${p.from.slice(0, 4)}年至${p.to.slice(0, 4)}年`;

export const addDays = (day: Day, n: number): Day => dayOf(dayNumber(day) + n);
/** Whole days from a to b; 0 when equal, negative when b is earlier. */
export const daysBetween = (a: Day, b: Day): number => dayNumber(b) - dayNumber(a);
/** Days of an inclusive period. */
export const lengthOf = (p: Period): number => daysBetween(p.from, p.to) + 1;

export const daysInMonth = (year: number, month: number): number =>
  new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Adds n months and clamps to the month's last day: 2026-01-31 + 1 = 2026-02-28. Always count from the original day, never step by step. */
export function addMonths(day: Day, n: number): Day {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + n;
  const year = Math.floor(months / 12);
  const month = (months % 12) + 1;
  return `${pad(year, 4)}-${pad(month)}-${pad(Math.min(Number(day.slice(8, 10)), daysInMonth(year, month)))}`;
}

export const monthOf = (day: Day): Month => day.slice(0, 7);
export const firstOf = (month: Month): Day => `${month.slice(0, 7)}-01`;
export const lastOf = (month: Month): Day =>
  `${month.slice(0, 7)}-${pad(daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5, 7))))}`;
export const addToMonth = (month: Month, n: number): Month => monthOf(addMonths(firstOf(month), n));
/** Calendar months from the one to the other, both counted; below 1 when they are reversed. */
export const monthsFrom = (from: Month, to: Month): number => monthCount(to) - monthCount(from) + 1;
const monthCount = (month: Month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
export const minDay = (a: Day, b: Day): Day => (a < b ? a : b);
export const maxDay = (a: Day, b: Day): Day => (a > b ? a : b);
export const contains = (p: Period, day: Day): boolean => p.from <= day && day <= p.to;
export const overlaps = (a: Period, b: Period): boolean => a.from <= b.to && b.from <= a.to;

/** Making a formatter takes longer than a database query, and some forty times as long as its use. */
const formats = new Map<string, Intl.DateTimeFormat>();
const WRITTEN = {
  day: { year: "numeric", month: "2-digit", day: "2-digit" },
  time: { dateStyle: "short", timeStyle: "medium" },
} as const;

function written(at: Date, as: keyof typeof WRITTEN, zone = "Asia/Shanghai"): string {
  const key = `${as} ${zone}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, ...WRITTEN[as] });
    formats.set(key, format);
  }
  return format.format(at);
}

/** The business date of an instant in a time zone. Years before 1000 get the zeros that days are compared by. */
export const dayInZone = (at: Date, zone?: string): Day => written(at, "day", zone).padStart(10, "0");

/** "2026-11-20 09:05:07" of an instant in a time zone. */
export const timeInZone = (at: Date | string, zone?: string): string => written(new Date(at), "time", zone);

/** Milliseconds until the next day begins in a time zone, and a second more. */
export function untilNextDay(at: Date, zone?: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = timeInZone(at, zone).slice(11).split(":").map(Number);
  return 86_401_000 - ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
