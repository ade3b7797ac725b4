import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import type { PriceUnit } from "../room/words.rules.ts";
import { BECOMES_OWN, newPair, type Pair, type PriceLine, type PriceRule } from "./change.rules.ts";

/** A product with its price on a day: one for all stores, and others for the stores that differ. */
export type PricedProduct = {
  id: number;
  name: string;
  unit: PriceUnit;
  /** Rooms that follow it, wherever they are. */
  following: number;
  prices: (Pair & { villageId: number | null })[];
};
export type ProductChange = {
  id: number;
  name: string;
  unit: PriceUnit;
  rooms: number;
  prices: PricedProduct["prices"];
};

/**
 * Products of which every following room is in the change at the product's own price: they can get the new price
 * themselves. Rooms that were left out or priced by hand keep their product from it.
 */
export function wholeProducts(
  lines: readonly PriceLine[],
  products: readonly PricedProduct[],
  rule: PriceRule,
): ProductChange[] {
  if (rule.mode === "undo") return [];
  return products.flatMap(({ following, prices, ...product }) => {
    const mine = lines.filter((l) => l.productId === product.id && l.followed && !l.skipped && !l.edited);
    const general = prices.find((p) => p.villageId === null);
    const priceIn = (villageId: number) => prices.find((p) => p.villageId === villageId) ?? general;
    const same = (l: PriceLine) =>
      priceIn(l.villageId)?.list === l.oldList && priceIn(l.villageId)?.lowest === l.oldLowest;
    const next = prices.map(({ villageId, ...old }) => ({ villageId, ...newPair(old, rule) }));
    const sound = next.every((p) => p.lowest > 0 && p.lowest <= p.list && p.list <= AMOUNT_MAX);
    return general && mine.length > 0 && mine.length === following && mine.every(same) && sound
      ? [{ ...product, rooms: mine.length, prices: next }]
      : [];
  });
}

/** Their rooms go on following. */
export const byProducts = (lines: readonly PriceLine[], products: readonly ProductChange[]): PriceLine[] => {
  const ids = new Set<number | null>(products.map((p) => p.id));
  return lines.map((line) =>
    !line.skipped && line.followed && ids.has(line.productId)
      ? { ...line, byProduct: true, warnings: line.warnings.filter((w) => w !== BECOMES_OWN) }
      : line,
  );
};
