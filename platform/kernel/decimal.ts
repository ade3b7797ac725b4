import { halfUp, minus, over, plus, ratio, times } from "./fen.ts";
import type { Ratio } from "./fen.ts";
import { isEmpty } from "./validators.ts";

/**
 * Arithmetic on numbers as people write them (areas, readings, percents), free of binary rounding: 0.1 + 0.2 is 0.3.
 * Money is integer fen and has its own module.
 */
export type Numeric = number | string | null | undefined;

/** The exact value of 12, "12.50" or 1e-7; empty is 0, anything else that is no number is undefined. */
function exact(value: Numeric): Ratio | undefined {
  if (isEmpty(value)) return ratio(0);
  const m = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d{1,3}))?$/i.exec(String(value).trim());
  if (!m) return undefined;
  const digits = BigInt(m[2]! + (m[3] ?? ""));
  const scale = Number(m[4] ?? 0) - (m[3]?.length ?? 0);
  const n = m[1] === "-" ? -digits : digits;
  return scale >= 0 ? ratio(n * 10n ** BigInt(scale)) : ratio(n, 10n ** BigInt(-scale));
}

function both(a: Numeric, b: Numeric, then: (a: Ratio, b: Ratio) => Ratio): number {
  const x = exact(a);
  const y = exact(b);
  if (!x || !y) return Number.NaN;
  const { n, d } = then(x, y);
  // Denominators are powers of ten here, so the decimal text is exact and only the last step may round.
  const places = d.toString().length - 1;
  const text = String(n < 0n ? -n : n).padStart(places + 1, "0");
  return Number(
    `${n < 0n ? "-" : ""}${text.slice(0, text.length - places)}.${text.slice(text.length - places)}0`,
  );
}

export const add = (a: Numeric, b: Numeric): number => both(a, b, plus);
export const subtract = (a: Numeric, b: Numeric): number => both(a, b, minus);
export const multiply = (a: Numeric, b: Numeric): number => both(a, b, times);

/** Rounds half away from zero; 0 when the divisor is 0. */
export function divide(a: Numeric, b: Numeric, decimals = 2): number {
  const x = exact(a);
  const y = exact(b);
  if (!x || !y) return Number.NaN;
  return y.n === 0n ? 0 : Number(rounded(over(x, y), decimals));
}

function rounded(value: Ratio, decimals: number): string {
  const scaled = BigInt(halfUp(times(value, ratio(10n ** BigInt(decimals)))));
  const digits = String(scaled < 0n ? -scaled : scaled).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = decimals ? `.${digits.slice(digits.length - decimals)}` : "";
  return `${scaled < 0n ? "-" : ""}${whole}${rest}`;
}

/** 1234567.891 → "1,234,567.89"; empty → "0"; what is no number → "—". */
export function showNumber(value: Numeric, decimals = 2): string {
  if (isEmpty(value)) return "0";
  const number = exact(value);
  if (!number) return "—";
  const [whole = "", rest] = rounded(number, decimals).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  return rest === undefined ? grouped : `${grouped}.${rest}`;
}
