import type { Day } from "./day.ts";

/** How an instant is written and read in forms, lists and files. */
export const INSTANT_FORMAT = "YYYY-MM-DD HH:mm:ss";

/** "2026-11-20" → "2026-11-20 00:00:00"; a time that stands there already is replaced. */
export const startOfDay = (day: Day): string => `${day.slice(0, 10)} 00:00:00`;
/** "2026-11-20" → "2026-11-20 23:59:59", the last second of the day, inclusive. */
export const endOfDay = (day: Day): string => `${day.slice(0, 10)} 23:59:59`;
