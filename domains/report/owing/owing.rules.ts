import { daysBetween, type Day } from "../../../platform/kernel/day.ts";

/** Ageing by days past the due day (R9). */
export const AGES = [
  { key: "d30", words: "1-30天", from: 1, to: 30 },
  { key: "d60", words: "31-60天", from: 31, to: 60 },
  { key: "d90", words: "61-90天", from: 61, to: 90 },
  { key: "d180", words: "91-180天", from: 91, to: 180 },
  { key: "d365", words: "181-365天", from: 181, to: 365 },
  { key: "over", words: "365天以上", from: 366, to: 100_000 },
] as const;
export type Age = (typeof AGES)[number]["key"];
export type Buckets = Record<Age | "owed", number>;

export const noBuckets = (): Buckets => ({ owed: 0, d30: 0, d60: 0, d90: 0, d180: 0, d365: 0, over: 0 });

/** The bucket of a bill due on `due`, as of `day`; a bill is late from the day after. */
export function ageOf(due: Day, day: Day): Age {
  const late = daysBetween(due, day);
  return AGES.find((a) => late <= a.to)?.key ?? "over";
}
