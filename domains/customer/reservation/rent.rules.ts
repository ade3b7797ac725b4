import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { compare, decimal, ratio, times, yuan, type Fen, type Ratio } from "../../../platform/kernel/fen.ts";
import { monthlyPrice } from "../../listing/room/price.rules.ts";
import { PRICE_UNITS, type PriceUnit } from "../../listing/room/words.rules.ts";

/** A rent as it was agreed: of a month, of a day, or of a square metre and day. */
export type Rent = { rent: Fen; unit: PriceUnit };

/** 3,000.00 元/月 */
export const rentText = ({ rent, unit }: Rent): string => `${yuan(rent)} ${PRICE_UNITS[unit][0]}`;

/** What it comes to a month, to be set beside other rents; `area` in m². */
export const monthlyRent = ({ rent, unit }: Rent, area: string): Fen => monthlyPrice(rent, unit, area)!;

/** The rent of so many days, exact: a month has 365 ÷ 12 days. */
function rentOver(days: number, { rent, unit }: Rent, area: string): Ratio {
  const whole = times(ratio(rent), ratio(days));
  if (unit === "month") return times(whole, ratio(12, 365));
  return unit === "day" ? whole : times(whole, decimal(area));
}

/** The part of 定金 above a fifth of the contract has no force (民法典第五百八十六条). */
export function earnestWarning(
  of: Rent & { area: string; earnestKind: string; earnest: Fen; moveInDay: Day; plannedEndDay: Day | null },
): string | undefined {
  if (of.earnestKind !== "定金" || !of.plannedEndDay) return undefined;
  const days = daysBetween(of.moveInDay, of.plannedEndDay) + 1;
  return compare(ratio(of.earnest * 5), rentOver(days, of, of.area)) > 0
    ? "超过合同总额20%的部分不具定金效力"
    : undefined;
}

/** Rent and lowest price in one unit. */
export type Below = Rent & { lowest: Fen };

/** What was agreed beside the lowest price that it stays under, or nothing. Unlike units are compared by the month. */
export function belowLowest(
  agreed: Rent,
  price: { lowestPrice: Fen; unit: PriceUnit },
  area: string,
): Below | undefined {
  const same = agreed.unit === price.unit;
  const { rent, unit } = same ? agreed : { rent: monthlyRent(agreed, area), unit: "month" as const };
  const lowest = same ? price.lowestPrice : monthlyPrice(price.lowestPrice, price.unit, area)!;
  return rent < lowest ? { rent, unit, lowest } : undefined;
}

export const lowestText = ({ lowest, unit }: Pick<Below, "lowest" | "unit">): string =>
  `低于底价 ${rentText({ rent: lowest, unit })}，需审批`;

/** What a contract begins with: rent of a month, and the price of a square metre and day where that was agreed. */
export const contractRent = (agreed: Rent, area: string): { rent: Fen; unitPrice: string | null } => ({
  rent: monthlyRent(agreed, area),
  unitPrice: agreed.unit === "sqmDay" ? yuan(agreed.rent, false) : null,
});
