import { type Day, minDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { planBills, restAfter } from "../schedule/bills.rules.ts";
import { type TrimRow, type Trimmed, trim } from "../schedule/carry.rules.ts";
import { bucketsOf, slotsOf } from "./bucket.rules.ts";
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
  adjusted?: Fen;
  periodStart: Day | null;
  periodEnd: Day | null;
};

/**
 * Which stored line each planned line became, with what is taken off it: its own part and that of the discounts on it.
 * What an amendment has cut otherwise since is taken off its lines together, the latest days first. A planned line that
 * nothing stored answers to is named in `missing`.
 */
export function backsOf(
  rows: readonly TrimRow[],
  stored: readonly StoredLine[],
  subjectOf: (key: Line["feeKey"]) => number,
): { backs: Map<number, Fen>; missing: Line[] } {
  const bills = [...Map.groupBy(rows, (r) => r.billKey).values()].map((own) => ({
    rows: own,
    lines: own.map((r) => r.line),
    periodStart: own.reduce((first, r) => minDay(first, r.line.from), own[0]!.line.from),
  }));
  const slots = slotsOf(bills, subjectOf);
  const lines = stored.filter((s) => s.kind === "normal" && s.amount > 0);
  const held = bucketsOf(slots, lines);
  const backs = new Map<number, Fen>();
  const missing: Line[] = [];
  for (const bill of bills) {
    const rowOf = new Map(bill.rows.map((r) => [r.line, r]));
    for (const [slot, planned] of slots.partsOf(bill)) {
      const own = planned.map((line) => rowOf.get(line)!);
      const found = matched(own, held.get(slot) ?? [], backs);
      if (!found) missing.push(...takenOff(own, held.get(slot) ?? [], backs));
    }
  }
  return { backs, missing };
}

/** Takes each planned line off the stored one that it became; nothing where they are not the same lines any more. */
function matched(own: readonly TrimRow[], lines: readonly StoredLine[], backs: Map<number, Fen>): boolean {
  const keyOf = (amount: Fen, from: Day | null, to: Day | null) => [amount, from, to].join(" ");
  const free = Map.groupBy(lines, (s) => keyOf(s.amount, s.periodStart, s.periodEnd));
  const charged = own.filter((r) => r.line.kind !== "discount" && r.line.amount > 0);
  const became = charged.map(({ line, back }) => ({
    line,
    back,
    id: free.get(keyOf(line.amount, line.from, line.to))?.shift()?.id,
  }));
  if (charged.length !== lines.length || became.some((b) => b.id === undefined)) return false;
  for (const { id, back } of became) backs.set(id!, back);
  for (const { line, back } of own) {
    if (line.kind === "discount" ? !back : line.amount > 0 || !back) continue;
    const bearer = became.find((r) => r.line.from <= line.from && line.from <= r.line.to) ?? became[0];
    if (!bearer) return false;
    backs.set(bearer.id!, (backs.get(bearer.id!) ?? 0) + back);
  }
  return true;
}

/** Takes what the planned lines come to together off the stored ones, and answers the lines that nothing is left to take off of. */
function takenOff(own: readonly TrimRow[], lines: readonly StoredLine[], backs: Map<number, Fen>): Line[] {
  let rest = own.reduce((sum, r) => sum + r.back, 0);
  const latest = lines.toSorted((a, b) => ((a.periodStart ?? "") > (b.periodStart ?? "") ? -1 : 1));
  for (const line of latest) {
    const taken = backs.get(line.id) ?? 0;
    const back = Math.min(rest, line.amount + (line.adjusted ?? 0) - taken);
    backs.set(line.id, taken + back);
    rest -= back;
  }
  return rest > 0 ? own.filter((r) => r.back > 0).map((r) => r.line) : [];
}
