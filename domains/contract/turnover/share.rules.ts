import {
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  times,
  yuan,
  type Fen,
  type Ratio,
} from "../../../platform/kernel/fen.ts";
import type { TurnoverRule } from "./rule.contract.ts";

type Bands = Pick<TurnoverRule, "bandMode" | "bands">;
/** What of the turnover a band takes, and what that costs. */
export type BandPart = { sales: Fen; rate: string; amount: Fen };

const ONE = ratio(1);
const cost = (sales: Fen, rate: string): Ratio => over(times(ratio(sales), decimal(rate)), ratio(100));

/** How a turnover falls into the bands; a partial month has its share of their limits. */
function partsOf({ bandMode, bands }: Bands, net: Fen, weight: Ratio): { sales: Fen; rate: string }[] {
  const limits = bands.map((b) => (b.upTo == null ? Infinity : halfUp(times(ratio(b.upTo), weight))));
  if (bandMode === "whole") {
    const band = bands[limits.findIndex((limit) => net <= limit)];
    return band && net > 0 ? [{ sales: net, rate: band.rate }] : [];
  }
  return bands.flatMap((band, i) => {
    const from = i ? limits[i - 1]! : 0;
    const sales = Math.min(net, limits[i]!) - from;
    return sales > 0 ? [{ sales, rate: band.rate }] : [];
  });
}

/** The share of a turnover, rounded once. */
export function turnoverRent(rule: Bands, net: Fen, weight: Ratio = ONE): Fen {
  const exact = partsOf(rule, net, weight).reduce((sum, p) => plus(sum, cost(p.sales, p.rate)), ratio(0));
  return halfUp(exact);
}

/** The same band by band, to be read. */
export const bandParts = (rule: Bands, net: Fen, weight: Ratio = ONE): BandPart[] =>
  partsOf(rule, net, weight).map((p) => ({ ...p, amount: halfUp(cost(p.sales, p.rate)) }));

export const partText = ({ sales, rate, amount }: BandPart): string =>
  `${yuan(sales)} × ${Number(rate)}% = ${yuan(amount)}`;

/**
 * The turnover at which the share overtakes the base: 108,333.33 where 100,000.00 cost 9,000.00 of a base of 10,000.00 and 12 % are
 * taken above. Null where it never does.
 */
export function breakEven({ bandMode, bands }: Bands, base: Fen): Fen | null {
  let before = ratio(0);
  let from = 0;
  for (const { upTo, rate } of bands) {
    const share = decimal(rate);
    if (share.n > 0n) {
      const rest = bandMode === "whole" ? ratio(base) : plus(ratio(base), times(before, ratio(-1)));
      const sales = halfUp(over(times(rest, ratio(100)), share));
      const at = Math.max(from, bandMode === "whole" ? sales : from + sales);
      if (upTo == null || at <= upTo) return at;
    }
    before = plus(before, cost((upTo ?? from) - from, rate));
    from = upTo ?? from;
  }
  return null;
}
