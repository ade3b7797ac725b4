import { addDays, dayNumber, type Day } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";

export const RESULTS = {
  done: ["成功", "green"],
  failed: ["失败", "red"],
  running: ["执行中", "blue"],
  waiting: ["排队中", "gold"],
  none: ["未执行", "grey"],
} as const satisfies Words;
export type Result = keyof typeof RESULTS;

export const SWITCHED = { on: ["启用", "green"], off: ["停用", "grey"] } as const satisfies Words;

export const BUSY = "任务正在执行中";

const two = (n: string) => n.padStart(2, "0");
const NUMBER = /^\d+$/;

/** Five fields of cron in words; what has no short sentence stays as it is. */
export function scheduleOf(cron: string): string {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  if (weekday !== "*") return cron;
  if (month !== "*")
    return [minute, hour, day, month].every((n) => NUMBER.test(n))
      ? `每年${month}月${day}日 ${two(hour)}:${two(minute)}`
      : cron;
  const step = /^\*\/(\d+)$/.exec(minute)?.[1];
  const always = hour === "*" && day === "*";
  if (always && minute === "*") return "每分钟";
  if (always && step) return `每 ${step} 分钟`;
  if (!NUMBER.test(minute)) return cron;
  if (always) return `每小时第${minute}分`;
  const [, first, last] = /^(\d+)-(\d+)$/.exec(hour) ?? [];
  if (first && last && day === "*")
    return `每天 ${two(first)}:${two(minute)} 至 ${two(last)}:${two(minute)} 每小时`;
  if (!NUMBER.test(hour)) return cron;
  const at = `${two(hour)}:${two(minute)}`;
  if (day === "*") return `每天 ${at}`;
  return NUMBER.test(day) ? `每月${day}日 ${at}` : cron;
}

/** The numbers of a field between its limits: *, steps, ranges and lists. */
function numbersOf(field: string, from: number, to: number): number[] {
  const all = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return all.filter((n) =>
    field.split(",").some((part) => {
      const [range = "", step = "1"] = part.split("/");
      const [low, high = low] = range === "*" ? [from, to] : range.split("-").map(Number);
      return n >= low! && n <= high! && (n - low!) % Number(step) === 0;
    }),
  );
}

type Clock = { times: string[]; days: number[]; months: number[]; weekdays: number[] };
const clocks = new Map<string, Clock>();

/** What a cron asks for, written out; there are as many as jobs, so each is kept. */
function clockOf(cron: string): Clock {
  const known = clocks.get(cron);
  if (known) return known;
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const minutes = numbersOf(minute, 0, 59).map((m) => two(String(m)));
  const clock = {
    times: numbersOf(hour, 0, 23).flatMap((h) => minutes.map((m) => `${two(String(h))}:${m}`)),
    days: numbersOf(day, 1, 31),
    months: numbersOf(month, 1, 12),
    weekdays: numbersOf(weekday, 0, 6),
  };
  clocks.set(cron, clock);
  return clock;
}

const AHEAD_DAYS = 366;

/**
 * The next minute at which a cron comes round, after `now`, both as "YYYY-MM-DD HH:mm" of the same wall clock. A day of
 * the month and a day of the week are either asked for, never both.
 */
export function nextAt(cron: string, now: string): string | undefined {
  const { times, days, months, weekdays } = clockOf(cron);
  const [today, clock] = [now.slice(0, 10), now.slice(11, 16)];
  for (let i = 0; i <= AHEAD_DAYS; i++) {
    const on = addDays(today, i);
    if (!days.includes(Number(on.slice(8))) || !months.includes(Number(on.slice(5, 7)))) continue;
    if (!weekdays.includes(weekdayOf(on))) continue;
    const time = i > 0 ? times[0] : times.find((at) => at > clock);
    if (time) return `${on} ${time}`;
  }
  return undefined;
}

/** Sunday is 0; 1970-01-01 was a Thursday. */
const weekdayOf = (day: Day): number => (dayNumber(day) + 4) % 7;
