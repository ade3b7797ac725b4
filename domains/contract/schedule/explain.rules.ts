import {
  decimal,
  halfUp,
  minus,
  plus,
  ratio,
  times,
  type Fen,
  type Ratio,
} from "../../../platform/kernel/fen.ts";
import { percentOff, sharedOff } from "./discounts.rules.ts";
import type { Explain, Fraction, MonthDays, PriceExplain } from "./line.rules.ts";
import { weight } from "./weight.rules.ts";

export function fractionOf(text: Fraction): Ratio {
  const [n, d] = text.split("/");
  return ratio(BigInt(n!), BigInt(d!));
}

/** price × (W(counted + days) − W(counted)), from the inputs alone. */
export function exactOf({ basis, area }: Pick<PriceExplain, "basis" | "area">, part: MonthDays): Ratio {
  const { counted, days, monthDays, price } = part;
  const upTo = weight(basis, counted + days, monthDays, area);
  return times(ratio(price), minus(upTo, weight(basis, counted, monthDays, area)));
}

/** The fen of one stretch of days: rounded on the month's running total. */
export function partAmount(
  explain: Pick<PriceExplain, "basis" | "area">,
  part: PriceExplain["parts"][number],
): Fen {
  if (!("monthDays" in part)) return part.price * part.months;
  const before = fractionOf(part.before);
  return halfUp(plus(before, exactOf(explain, part))) - halfUp(before);
}

/** Works a line's amount out again from its explanation. */
export function recompute(explain: Explain): Fen {
  switch (explain.rule) {
    case "rent":
    case "fee":
      return explain.parts.reduce((sum, part) => sum + partAmount(explain, part), 0);
    case "free":
      return 0;
    case "wholePeriod":
      return explain.price * explain.months;
    case "once":
    case "depositAmount":
      return explain.price;
    case "depositMonths":
      return halfUp(times(ratio(explain.price), decimal(explain.months)));
    case "firstMonths":
      return -explain.parts.reduce((sum, part) => sum + part.base, 0);
    case "percentOff":
      return -explain.parts.reduce((sum, p) => sum + Math.min(p.base, percentOff(p.base, explain.value)), 0);
    case "amountOff":
      return -explain.parts.reduce((sum, part) => sum + sharedOff(part), 0);
  }
}
