import type { Day } from "../../../platform/kernel/day.ts";
import { decimal, halfUp, ratio, share, times, type Fen } from "../../../platform/kernel/fen.ts";
import { taxOfChange, type Taxed } from "./tax.rules.ts";

/** A positive line that can bear a correction. `net` = amount with what was laid on it before. */
export type Bearer = Taxed & {
  id: number;
  feeSubjectId: number;
  roomId: number | null;
  net: Fen;
  /** What is paid or written off: a reduction never goes below it. */
  taken: Fen;
};
export type Laid = { lineId: number; amount: Fen; tax: Fen };

/**
 * Lays a correction on lines, the first that can bear it first: a reduction stops at what is taken of a line.
 * Answers undefined when they cannot bear it all. Tax follows each line's own before and after.
 */
export function layOn(bearers: readonly Bearer[], amount: Fen): Laid[] | undefined {
  const laid: Laid[] = [];
  let rest = amount;
  for (const line of bearers) {
    if (rest === 0) break;
    const part = rest > 0 ? rest : Math.max(rest, line.taken - line.net);
    if (part === 0) continue;
    laid.push({ lineId: line.id, amount: part, tax: taxOfChange(line.net, part, line) });
    rest -= part;
  }
  return rest === 0 ? laid : undefined;
}

/** `minus` and `plus` in fen; `percent` takes "5" percent off what the line is now. */
export type Change = { mode: "minus" | "plus"; value: Fen } | { mode: "percent"; percent: string };

/** What a change means in fen. */
export function changeOf(net: Fen, change: Change): Fen {
  if (change.mode === "percent") return -halfUp(times(ratio(net, 100), decimal(change.percent)));
  return change.mode === "plus" ? change.value : -change.value;
}

export type SliceOf = { from: Day; to: Day; amount: Fen };

/** Spreads a correction over the months of its line in proportion, so that it is earned as the line is. */
export function slicesOf(slices: readonly SliceOf[], amount: Fen): SliceOf[] {
  const whole = slices.filter((s) => s.amount > 0);
  if (!whole.length) return [];
  const parts = share(
    amount,
    whole.map((s) => BigInt(s.amount)),
  );
  return whole.map(({ from, to }, i) => ({ from, to, amount: parts[i]! }));
}
