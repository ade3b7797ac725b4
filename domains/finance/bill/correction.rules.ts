import type { Day } from "../../../platform/kernel/day.ts";
import {
  type Fen,
  type Ratio,
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  share,
  times,
} from "../../../platform/kernel/fen.ts";
import type { TaxMode } from "../subject/subject.rules.ts";

export type Taxed = { taxMode: TaxMode; taxRate: string };

const REDUCED = { base: ratio(105, 100), rate: ratio(15, 1000) };

/** The tax inside an amount, exact. */
function exactTax(amount: Fen, { taxMode, taxRate }: Taxed): Ratio {
  if (taxMode === "none") return ratio(0);
  if (taxMode === "reduced15") return times(over(ratio(amount), REDUCED.base), REDUCED.rate);
  const rate = decimal(taxRate);
  return over(times(ratio(amount), rate), plus(ratio(1), rate));
}

/** The tax inside an amount, rounded half-up once: 3,000.00 at the reduced 1.5% = 42.86. */
export const taxOf = (amount: Fen, taxed: Taxed): Fen => halfUp(exactTax(amount, taxed));

/**
 * The tax of a correction: what the line's tax is after, less what it was before, so that a line and its corrections
 * carry exactly the tax of what is left.
 */
export const taxOfChange = (before: Fen, change: Fen, taxed: Taxed): Fen =>
  taxOf(before + change, taxed) - taxOf(before, taxed);

/** The rate as people read it: 减按1.5% or 6%. */
export function taxWord({ taxMode, taxRate }: Taxed): string {
  if (taxMode === "none") return "不征税";
  const percent = String(Math.round(Number(taxRate) * 1e6) / 1e4);
  return taxMode === "reduced15" ? `减按${percent}%` : `${percent}%`;
}

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
