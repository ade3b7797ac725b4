import { mine } from "../session/operator.ts";
import { keep, kept } from "../session/storage.ts";

const KEY = "opened";
const DAYS = 30;
const MOST = 200;

type Opening = readonly [path: string, day: number];

const today = () => Math.floor(Date.now() / 86_400_000);
const openings = (): Opening[] =>
  (kept<Opening[]>(mine(KEY)) ?? []).filter(([, day]) => day > today() - DAYS);

/** Remembers that a page was opened, for the pages that a person uses most. */
export const countOpening = (path: string): void =>
  keep(mine(KEY), [...openings().slice(1 - MOST), [path, today()]]);

/** Pages of the last thirty days, the most opened first. */
export function mostOpened(): string[] {
  const counts = new Map<string, number>();
  for (const [path] of openings()) counts.set(path, (counts.get(path) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1]).map(([path]) => path);
}
