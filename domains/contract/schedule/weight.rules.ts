import { decimal, ratio, type Fen, type Ratio } from "../../../platform/kernel/fen.ts";
import type { Basis, Decimal } from "./terms.rules.ts";

/** Whole numbers that stay plain where they are exact; only prices per m² need more than 53 bits. */
export type Units = number | bigint;

export type AreaPrice = { unitPrice: Decimal; area: Decimal; rent: Fen };

/** The weight of a month's first n days as units ÷ whole. A full month always weighs 1. */
export type Scale = {
  basis: Basis;
  area?: AreaPrice;
  whole: (monthDays: number) => Units;
  units: (n: number, monthDays: number) => Units;
};

const ACTUAL: Scale = { basis: "actual", whole: (days) => days, units: (n) => n };
const THIRTY: Scale = {
  basis: "30",
  whole: () => 30,
  units: (n, days) => (n >= days ? 30 : n),
};
const YEAR: Scale = {
  basis: "365",
  whole: () => 365,
  units: (n, days) => (n >= days ? 365 : 12 * n),
};

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b));

function areaScale(area: AreaPrice): Scale {
  const price = decimal(area.unitPrice);
  const size = decimal(area.area);
  const perDay = price.n * size.n * 100n;
  const month = price.d * size.d * BigInt(area.rent);
  const g = gcd(perDay, month);
  const whole = month / g;
  const day = perDay / g;
  const units = (n: number, days: number) => {
    const sum = BigInt(n) * day;
    return n >= days || sum > whole ? whole : sum;
  };
  return { basis: "area", area, whole: () => whole, units };
}

/**
 * Without a price per m² the area basis falls back on 365: there a month costs 365/12 days, so the weights are the same.
 * That is also how fees of a shop follow its rent.
 */
export function scaleOf(basis: Basis, area?: AreaPrice | null): Scale {
  if (basis === "actual") return ACTUAL;
  if (basis === "30") return THIRTY;
  return basis === "area" && area && area.rent > 0 ? areaScale(area) : YEAR;
}

/** W(n): the share of a month's rent that its first n days cost. */
export function weight(basis: Basis, n: number, monthDays: number, area?: AreaPrice | null): Ratio {
  const scale = scaleOf(basis, area);
  return ratio(scale.units(n, monthDays), scale.whole(monthDays));
}
