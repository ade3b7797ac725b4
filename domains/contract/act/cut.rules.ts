import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { planBills, restAfter } from "../schedule/bills.rules.ts";
import { type TrimRow, type Trimmed, trim } from "../schedule/carry.rules.ts";
import type { Line } from "../schedule/line.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";

/** The contract's charges cut after a day. Of a contract that was taken over only what was billed here. */
export const cutAfter = (input: ScheduleInput, last: Day, paidTo: Day | null): Trimmed =>
  trim(input, last, undefined, paidTo ? (i) => restAfter(i, paidTo) : planBills);

/** A bill line as it is stored. */
export type StoredLine = {
  id: number;
  feeSubjectId: number;
  kind: string;
  roomId: number | null;
  amount: Fen;
  periodStart: Day | null;
  periodEnd: Day | null;
};

/**
 * Which stored line each planned line became, with what is taken off it: its own part and that of the discounts on it.
 * A planned line that nothing stored answers to is named in `missing`.
 */
export function backsOf(
  rows: readonly TrimRow[],
  stored: readonly StoredLine[],
  subjectOf: (key: Line["feeKey"]) => number,
): { backs: Map<number, Fen>; missing: Line[] } {
  // a company has tens of thousands of lines: each is looked up, not searched for
  const free = Map.groupBy(
    stored.filter((s) => s.kind === "normal"),
    (s) => [s.feeSubjectId, s.roomId, s.amount, s.periodStart, s.periodEnd].join(" "),
  );
  const backs = new Map<number, Fen>();
  const became = new Map<string, { line: Line; id: number }[]>();
  const missing: Line[] = [];
  for (const { line, billKey, back } of rows.filter((r) => r.line.kind !== "discount")) {
    const key = [subjectOf(line.feeKey), line.roomId, line.amount, line.from, line.to].join(" ");
    const found = free.get(key)?.shift();
    if (!found) {
      if (back) missing.push(line);
      continue;
    }
    backs.set(found.id, back);
    const bearers = `${billKey} ${line.feeKey} ${line.roomId}`;
    became.set(bearers, [...(became.get(bearers) ?? []), { line, id: found.id }]);
  }
  for (const row of rows.filter((r) => r.line.kind === "discount" && r.back)) {
    const { line, billKey } = row;
    const bearers = became.get(`${billKey} ${line.feeKey} ${line.roomId}`) ?? [];
    const bearer = bearers.find((r) => r.line.from <= line.from && line.from <= r.line.to) ?? bearers[0];
    if (bearer) backs.set(bearer.id, (backs.get(bearer.id) ?? 0) + row.back);
    else missing.push(line);
  }
  return { backs, missing };
}
