/** Money is an integer number of fen (分). One yuan = 100 fen. No floating-point arithmetic ever touches it. */
export type Fen = number;

/**
 * The largest amount of money there is: 99,999,999.99 yuan (specification section 9). It bounds what a person types, each
 * line, bill and flow that is made, and the columns of the database. Sums over many of them stay inside safe integers.
 */
export const AMOUNT_MAX: Fen = 9_999_999_999;
/** Said where inputs multiply or add up to more. */
export const TOO_LARGE = "金额过大，不能超过99,999,999.99元";
/** Whether something worked out (a product, a sum, a share) is still an amount. */
export const isAmount = (fen: Fen): boolean => Number.isInteger(fen) && Math.abs(fen) <= AMOUNT_MAX;
/** The nearest integer that a number holds exactly, for reading what was stored before amounts had a bound. */
export const safeFen = (fen: number): Fen =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, fen));

/** An exact rational number, used between inputs and the one rounding to fen. The denominator is positive. */
export type Ratio = { n: bigint; d: bigint };

export const ratio = (n: bigint | number, d: bigint | number = 1n): Ratio => {
  const den = BigInt(d);
  if (den === 0n) throw new RangeError("denominator 0");
  return den < 0n ? { n: -BigInt(n), d: -den } : { n: BigInt(n), d: den };
};

/** "4.50" → 9/2 exactly; at most 6 decimals are the caller's business. Throws on anything but a plain decimal. */
export function decimal(text: string): Ratio {
  const m = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (!m) throw new RangeError(`not a decimal: ${text}`);
  const scale = 10n ** BigInt(m[3]?.length ?? 0);
  const n = BigInt(m[2]! + (m[3] ?? ""));
  return { n: m[1] ? -n : n, d: scale };
}

export const plus = (a: Ratio, b: Ratio): Ratio =>
  a.d === b.d ? { n: a.n + b.n, d: a.d } : { n: a.n * b.d + b.n * a.d, d: a.d * b.d };
export const minus = (a: Ratio, b: Ratio): Ratio => plus(a, { n: -b.n, d: b.d });
export const times = (a: Ratio, b: Ratio): Ratio => ({ n: a.n * b.n, d: a.d * b.d });
export const over = (a: Ratio, b: Ratio): Ratio => ratio(a.n * b.d, a.d * b.n);
export const compare = (a: Ratio, b: Ratio): number => {
  const x = a.n * b.d;
  const y = b.n * a.d;
  return x < y ? -1 : x > y ? 1 : 0;
};

/** Rounds half away from zero to a whole number: 0.5 → 1, -0.5 → -1. */
export function halfUp({ n, d }: Ratio): number {
  const whole = (2n * (n < 0n ? -n : n) + d) / (2n * d);
  return Number(n < 0n ? -whole : whole);
}

/** "3000", "3,000.5", "-12.34" → fen. Throws on more than two decimals. */
export function parseYuan(text: string): Fen {
  const m = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.replaceAll(",", "").trim());
  if (!m) throw new RangeError(`not an amount: ${text}`);
  const fen = Number(m[2]) * 100 + Number((m[3] ?? "").padEnd(2, "0"));
  return m[1] ? -fen : fen;
}

/** 1234567 → "12,345.67"; -5 → "-0.05". `grouped: false` leaves the commas out. */
export function yuan(fen: Fen, grouped = true): string {
  const abs = Math.abs(fen);
  const whole = String(Math.floor(abs / 100));
  const text = grouped ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return `${fen < 0 ? "-" : ""}${text}.${String(abs % 100).padStart(2, "0")}`;
}

const DIGITS = "零壹贰叁肆伍陆柒捌玖";
const STEPS = ["", "拾", "佰", "仟"];
const GROUPS = ["", "万", "亿"];

/** The amount in banker's characters as printed in contracts and receipts: 350000 → 叁仟伍佰元整. */
export function chineseYuan(fen: Fen): string {
  const abs = Math.abs(fen);
  const whole = Math.floor(abs / 100);
  let text = "";
  let gap = false;
  const digits = String(whole);
  for (let i = 0; i < digits.length; i++) {
    const place = digits.length - 1 - i;
    const digit = Number(digits[i]);
    if (digit === 0) gap = true;
    else {
      text += (gap && text ? "零" : "") + DIGITS[digit] + STEPS[place % 4];
      gap = false;
    }
    if (place % 4 === 0) {
      const group = digits.slice(Math.max(0, i - 3), i + 1);
      if (Number(group)) text += GROUPS[place / 4];
    }
  }
  const jiao = Math.floor((abs % 100) / 10);
  const cent = abs % 10;
  const head = whole ? `${text}元` : "";
  const tail =
    jiao || cent
      ? (jiao ? `${DIGITS[jiao]}角` : whole ? "零" : "") + (cent ? `${DIGITS[cent]}分` : "整")
      : `${whole ? "" : "零元"}整`;
  return `${fen < 0 ? "负" : ""}${head}${tail}`;
}

/** Splits a whole by weights with the largest remainder, so that the parts always add up. Weights ≥ 0, not all 0. */
export function share(whole: Fen, weights: readonly bigint[]): Fen[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum <= 0n) throw new RangeError("no weight");
  const exact = weights.map((w) => BigInt(Math.abs(whole)) * w);
  const parts = exact.map((e) => e / sum);
  let rest = BigInt(Math.abs(whole)) - parts.reduce((a, b) => a + b, 0n);
  const order = exact
    .map((e, i) => ({ i, r: e % sum }))
    .toSorted((a, b) => (a.r === b.r ? a.i - b.i : a.r < b.r ? 1 : -1));
  for (const { i } of order) {
    if (rest === 0n) break;
    parts[i]! += 1n;
    rest -= 1n;
  }
  return parts.map((p) => (whole < 0 ? -Number(p) : Number(p)));
}
