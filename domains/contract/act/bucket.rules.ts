import type { Day } from "../../../platform/kernel/day.ts";
import type { FeeKey, Line, PlannedBill } from "../schedule/line.rules.ts";

/** What a stored line says of where it belongs. */
export type StoredLine = { id: number; feeSubjectId: number; roomId: number | null; periodStart: Day | null };

/**
 * Where a charge stands in a plan: one subject of one room in one bill. Its lines may be cut otherwise by every amendment and
 * what one period costs more may stand on a later bill; what a slot costs in all is what old and new are compared by.
 */
export function slotsOf(
  plan: readonly Pick<PlannedBill, "periodStart" | "lines">[],
  subjectOf: (key: FeeKey) => number,
) {
  const whose = (subjectId: number, roomId: number | null) => `${subjectId} ${roomId ?? ""}`;
  const of = (line: Line) => whose(subjectOf(line.feeKey), line.roomId);
  const begins = new Map<string, Set<Day>>();
  for (const bill of plan)
    for (const line of bill.lines) {
      const days = begins.get(of(line)) ?? new Set();
      begins.set(of(line), days.add(bill.periodStart));
    }
  const sorted = new Map([...begins].map(([key, days]) => [key, [...days].sort().reverse()]));
  const partsOf = (bill: Pick<PlannedBill, "periodStart" | "lines">): Map<string, Line[]> =>
    Map.groupBy(bill.lines, (line) => `${of(line)} ${bill.periodStart}`);
  return {
    /** The lines of a planned bill by their slots. */
    partsOf,
    /** The slot of a stored line: the last period of its subject and room that begins by its first day. */
    at: (line: StoredLine): string | undefined => {
      const key = whose(line.feeSubjectId, line.roomId);
      const day = sorted.get(key)?.find((begin) => line.periodStart !== null && begin <= line.periodStart);
      return day && `${key} ${day}`;
    },
  };
}
export type Slots = ReturnType<typeof slotsOf>;

/** Stored lines by slot; those of no slot are left out. */
export function bucketsOf<L extends StoredLine>(slots: Slots, lines: readonly L[]): Map<string, L[]> {
  const found = new Map<string, L[]>();
  for (const line of lines) {
    const key = slots.at(line);
    if (!key) continue;
    const rows = found.get(key) ?? [];
    rows.push(line);
    found.set(key, rows);
  }
  return found;
}
