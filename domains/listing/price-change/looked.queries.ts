import type { PriceUnit } from "../room/words.rules.ts";
import { histogram, totalsOf, type PriceLine } from "./change.rules.ts";
import { hashOf, type Computed } from "./compute.queries.ts";

/** What typed prices do as things stand now, and how people name what they are for. */
export type Looked = Computed & {
  villageIds: number[];
  name: string;
  unit: PriceUnit;
  productName: string;
};

/** Of lines that were worked out; `also` is what else must not move until they are carried out. */
export const worked = (lines: PriceLine[], also: readonly unknown[]) => ({
  lines,
  products: [],
  totals: totalsOf(lines),
  histogram: histogram(lines),
  hash: hashOf(lines, also),
});
