import { greys } from "../../../platform/kernel/words.ts";

/** From the large to the small; a district stands below one of the next larger level. */
export const DISTRICT_LEVELS = greys({ city: "城市", area: "区县", block: "板块" });
export type DistrictLevel = keyof typeof DISTRICT_LEVELS;

const ORDER: readonly DistrictLevel[] = ["city", "area", "block"];

/** The sentence against a place in the tree: at most three levels, each smaller than the one above. */
export function misplaced(level: DistrictLevel, parent: DistrictLevel | undefined): string | undefined {
  if (!parent) return undefined;
  return ORDER.indexOf(level) > ORDER.indexOf(parent) ? undefined : "下级区域的级别须小于上级区域";
}
