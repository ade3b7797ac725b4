import type { Fen, Ratio } from "../../../platform/kernel/fen.ts";
import type { TurnoverRule } from "./rule.contract.ts";
import { turnoverRent } from "./share.rules.ts";

/** A closed month of a contract's year: what was sold, and what the schedule charges for it. */
export type ClosedMonth = { no: number; net: Fen; base: Fen; weight: Ratio };
/** What each rule asks for a month, and what is billed beyond the base. */
export type Owed = { no: number; share: Fen; topUp: Fen };

type Rule = Pick<TurnoverRule, "rentKind" | "bandMode" | "bandBasis" | "bands" | "settleBasis">;

/**
 * The closed months of one contract year in order. Where bands run over the year a month costs what the turnover so far costs more than
 * the turnover before it.
 */
export function monthsOwed(rule: Rule, months: readonly ClosedMonth[]): Owed[] {
  let sold = 0;
  return months.map(({ no, net, base, weight }) => {
    const before = sold;
    sold += net;
    const share =
      rule.bandBasis === "year"
        ? turnoverRent(rule, sold) - turnoverRent(rule, before)
        : turnoverRent(rule, net, weight);
    const topUp =
      rule.rentKind === "turnover" ? share : rule.rentKind === "higherOf" ? Math.max(0, share - base) : 0;
    return { no, share, topUp };
  });
}

/**
 * What a year is to be billed beyond the base. Settled by the year, the last month brings the whole year together: then a good month
 * makes up for a bad one, and what was billed too much comes back.
 */
export function yearOwed(rule: Rule, months: readonly ClosedMonth[], complete: boolean): Fen {
  const owed = monthsOwed(rule, months);
  const monthly = owed.reduce((sum, m) => sum + m.topUp, 0);
  if (rule.settleBasis === "month" || rule.rentKind !== "higherOf" || !complete) return monthly;
  const share = owed.reduce((sum, m) => sum + m.share, 0);
  return Math.max(0, share - months.reduce((sum, m) => sum + m.base, 0));
}

/** The contract year of a month, counted from 1: twelve months each from the first. */
export const yearOf = (no: number): number => Math.ceil(no / 12);
