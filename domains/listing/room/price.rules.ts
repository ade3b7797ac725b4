import { halfUp, ratio, times, decimal, type Fen } from "../../../platform/kernel/fen.ts";
import type { PriceUnit } from "./words.rules.ts";

/** A price as rent of a month, to set beside what was agreed: 365 ÷ 12 days. */
export function monthlyPrice(price: Fen | null, unit: PriceUnit | null, area: string | null): Fen | null {
  if (price === null || unit === null) return null;
  if (unit === "month") return price;
  const days = times(ratio(price), ratio(365, 12));
  if (unit === "day") return halfUp(days);
  return area === null ? null : halfUp(times(days, decimal(area)));
}
