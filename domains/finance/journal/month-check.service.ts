import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** A month of a store, or of an enterprise's head office. */
export type BookMonth = { enterpriseId: number; villageId: number | null; first: Day; last: Day };
export type Found = {
  /** How many records stand in the way; none is well. */
  count: number;
  /** What they are, in a few words. */
  said: string;
  /** The page that shows them, with its filter. */
  path?: string;
  query?: Record<string, string | number>;
};
/** Something to be put in order before a month is posted: what blocks, and what only warns. */
export type MonthCheck = {
  key: string;
  side: "income" | "cost";
  level: "red" | "amber";
  title: string;
  find: (read: Read, month: BookMonth) => Promise<Found>;
};

const checks = new Map<string, MonthCheck>();
/** A noun says what of its records a month waits for. */
export const checksMonth = (check: MonthCheck): void => void checks.set(check.key, check);
export const monthChecks = (side: "income" | "cost"): MonthCheck[] =>
  [...checks.values()].filter((check) => check.side === side);
