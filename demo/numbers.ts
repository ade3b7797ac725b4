import type { Day } from "../platform/kernel/day.ts";

/** Numbers as the product gives them, per kind and day; what was given last is kept for the days to come. */
export function numbering() {
  const last = new Map<string, number>();
  return {
    next: (kind: string, day: Day): string => {
      const key = kind + day;
      const n = (last.get(key) ?? 0) + 1;
      last.set(key, n);
      return `${kind}${day.replaceAll("-", "")}-${String(n).padStart(6, "0")}`;
    },
    rows: () => [...last].map(([key, n]) => ({ kind: key.slice(0, -10), day: key.slice(-10), last: n })),
  };
}
export type Numbering = ReturnType<typeof numbering>;

/** Ids from 1 per table; the tables are empty when the demo is made. */
export function counting() {
  const last = new Map<string, number>();
  return (table: string): number => {
    const n = (last.get(table) ?? 0) + 1;
    last.set(table, n);
    return n;
  };
}
/** An instant on a business day, as the database reads it. */
export const at = (day: Day, hour = 10): string => `${day} ${String(hour).padStart(2, "0")}:00:00+08`;
