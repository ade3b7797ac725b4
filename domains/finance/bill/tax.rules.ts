import {
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  times,
  type Fen,
  type Ratio,
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
