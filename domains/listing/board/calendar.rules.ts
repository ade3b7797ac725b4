import { addDays, daysBetween, type Day } from "../../../platform/kernel/day.ts";
import type { Bar } from "./board.contract.ts";

/** Stretches between two takings that are shorter than the shortest term the room is let for. */
export function shortGaps(bars: readonly Bar[], minTermMonths: number | null): { from: Day; to: Day }[] {
  if (!minTermMonths) return [];
  const taken = bars.filter((b) => b.kind !== "turnover").toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return taken.flatMap((bar, i) => {
    const next = taken[i + 1];
    if (!next || bar.to === null) return [];
    const gap = { from: addDays(bar.to, 1), to: addDays(next.from, -1) };
    const days = daysBetween(gap.from, gap.to) + 1;
    return days > 0 && days < minTermMonths * 30 ? [gap] : [];
  });
}

/** Whether nothing stands on a room over a stretch of days. */
export const isFree = (bars: readonly Bar[], from: Day, to: Day): boolean =>
  !bars.some((b) => b.kind !== "turnover" && b.from <= to && (b.to === null || b.to >= from));
