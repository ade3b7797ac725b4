import type { z } from "zod";
import type { boardSummary } from "./overview.contract.ts";
import type { Sieve } from "./sieve.rules.ts";
import { CONDITIONS, FLAGS, OCCUPANCIES, type Condition, type Occupancy } from "./words.rules.ts";

export type Counts = z.output<typeof boardSummary.reply>["sums"];
type Wanted = { title: string; of: (counts: Counts) => number };

const wordsOf = (words: Record<string, readonly [string, ...unknown[]]>, keys: readonly string[]) =>
  keys.map((key) => words[key]?.[0] ?? key).join("、");

/**
 * How many rooms of a village a filter of the board would show. Undefined where nothing is filtered, or where the kept
 * counts cannot tell: of two axes at once, and of flags other than arrears.
 */
export function chosenCount({
  occ,
  cond,
  flag,
  empty,
}: Pick<Sieve, "occ" | "cond" | "flag" | "empty">): Wanted | undefined {
  const axes = [occ, cond, flag].filter((keys) => keys.length).length;
  if (empty) return axes ? undefined : { title: "未出租", of: (counts) => counts.base - counts.let };
  if (axes !== 1) return undefined;
  const sum = (keys: readonly (Occupancy | Condition)[]) => (counts: Counts) =>
    keys.reduce((n, key) => n + (counts[key] ?? 0), 0);
  if (occ.length) return { title: wordsOf(OCCUPANCIES, occ), of: sum(occ as Occupancy[]) };
  if (cond.length) return { title: wordsOf(CONDITIONS, cond), of: sum(cond as Condition[]) };
  return flag.length === 1 && flag[0] === "arrears"
    ? { title: FLAGS.arrears[0], of: (counts) => counts.arrearsRooms }
    : undefined;
}
