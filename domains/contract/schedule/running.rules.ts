import { halfUp, type Fen } from "../../../platform/kernel/fen.ts";
import type { Fraction } from "./line.rules.ts";
import type { Units } from "./weight.rules.ts";

/** Some days of a month at one price: the month's units before and after them. */
export type Share = { price: Fen; from: Units; to: Units };
export type Rounded = { amount: Fen; exact: Fraction; before: Fraction };

const fraction = (n: Units, d: Units): Fraction => `${n}/${d}` as Fraction;

/** The greatest amount times two years of days is far from where numbers stop being exact. */
function rollNumbers(shares: readonly Share[], whole: number, opening: Share): Rounded[] {
  const round = (units: number) => Math.floor((2 * units + whole) / (2 * whole));
  let sum = opening.price * Number(opening.to);
  return shares.map(({ price, from, to }) => {
    const before = sum;
    const units = price * (Number(to) - Number(from));
    sum += units;
    return {
      amount: round(sum) - round(before),
      exact: fraction(units, whole),
      before: fraction(before, whole),
    };
  });
}

function rollBig(shares: readonly Share[], whole: bigint, opening: Share): Rounded[] {
  let sum = BigInt(opening.price) * BigInt(opening.to);
  return shares.map(({ price, from, to }) => {
    const before = sum;
    const units = BigInt(price) * (BigInt(to) - BigInt(from));
    sum += units;
    return {
      amount: halfUp({ n: sum, d: whole }) - halfUp({ n: before, d: whole }),
      exact: fraction(units, whole),
      before: fraction(before, whole),
    };
  });
}

/**
 * Rounds the shares of one month on their running total: amount = round(sum so far) − round(sum before).
 * So a month adds up to the unsplit month, and cutting its end off never changes what stands before.
 * `opening` is what days before these have cost (a month taken over from another contract).
 */
export function roll(shares: readonly Share[], whole: Units, opening: Share): Rounded[] {
  return typeof whole === "number" ? rollNumbers(shares, whole, opening) : rollBig(shares, whole, opening);
}
