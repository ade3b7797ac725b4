import { AMOUNT_MAX, type Ratio, halfUp, over, plus, ratio, yuan } from "../../../platform/kernel/fen.ts";
import { digits } from "../../../platform/kernel/texts/digits.ts";
import { type Formula, readFormula, valueOf } from "./formula.rules.ts";
import { type Indicator, type Unit, isInput } from "./source.rules.ts";

/** What is known of an indicator that is typed or read, in one store and month: an amount, or a quotient of two. */
export type Leaf = { num: Ratio; den: Ratio };
export type LeafOf = (indicatorId: number, villageId: number, month: number) => Leaf | null;
type Over = { villages: readonly number[]; months: readonly number[] };

export const wholeLeaf = (value: number): Leaf => ({ num: ratio(value), den: ratio(1) });

/** Amounts and counts are whole numbers, ratios are kept in hundredths of a percent. */
const scaleOf = (unit: Unit): number => (unit === "percent" ? 10_000 : 1);

/** A budget of a month: a mean is weighed by the room nights that it is a mean over. */
export const plannedLeaf = ({ unit, agg }: Indicator, value: number, nights: number): Leaf => {
  const weight = agg === "weighted" ? nights || 1 : 1;
  return { num: ratio(value * weight, scaleOf(unit)), den: ratio(agg === "weighted" ? weight : 1) };
};

/** What is known of an indicator over stores and months, before it is written as a number. */
type Known = { num: Ratio; den: Ratio };
/** What was worked out of one store's figures: it stands as long as they do. */
export type WorkedOut = Map<string, Known | null>;

const quotient = ({ num, den }: Known): Ratio | null => (den.n === 0n ? null : over(num, den));
const whole = (num: Ratio | null): Known | null => num && { num, den: ratio(1) };

const everyStore = () => {
  const all = new Map<number, WorkedOut>();
  return (villageId: number): WorkedOut => {
    const own: WorkedOut = all.get(villageId) ?? new Map();
    all.set(villageId, own);
    return own;
  };
};

/**
 * Works figures out from what was typed or read. A whole is never a mean of means: amounts are added, quotients are
 * quotients of their sums, stocks are those of the last month, formulas are worked out over the whole.
 */
export function evaluator(indicators: readonly Indicator[], leaf: LeafOf, workedOut = everyStore()) {
  const byCode = new Map(indicators.map((i) => [i.code, i]));
  const formulas = new Map<number, Formula>();
  for (const { id, source } of indicators)
    if (source.by === "formula") {
      const read = readFormula(source.formula, (code) => code);
      if ("formula" in read) formulas.set(id, read.formula);
    }
  const added = (parts: readonly (Ratio | null)[]): Ratio | null => {
    const known = parts.filter((part) => part !== null);
    return known.length ? known.reduce(plus) : null;
  };
  const atEnd = (one: Indicator, months: readonly number[]) =>
    one.agg === "last" ? months.slice(-1) : months;

  /** What is typed or read, of one store. */
  function typed(one: Indicator, villageId: number, months: readonly number[]): Known | null {
    const leaves = atEnd(one, months).flatMap((month) => leaf(one.id, villageId, month) ?? []);
    return leaves.length ? summed(one, leaves) : null;
  }
  const summed = (one: Indicator, parts: readonly Known[]): Known => ({
    num: parts.map((part) => part.num).reduce(plus),
    den: one.agg === "weighted" ? parts.map((part) => part.den).reduce(plus) : ratio(1),
  });
  /** Over one store it is worked out once. */
  function known(one: Indicator, asked: Over): Known | null {
    if (asked.villages.length !== 1) return work(one, asked);
    const own = workedOut(asked.villages[0]!);
    const name = `${one.id} ${asked.months.join()}`;
    const found = own.get(name);
    if (found !== undefined) return found;
    const value = work(one, asked);
    own.set(name, value);
    return value;
  }
  function work(one: Indicator, asked: Over): Known | null {
    const { villages, months } = asked;
    if (one.source.by === "children")
      return whole(
        added(indicators.filter((i) => i.parentId === one.id && i.enabled).map((i) => exact(i, asked))),
      );
    const formula = formulas.get(one.id);
    if (!formula && !isInput(one)) return null;
    const at = (span: Over) =>
      valueOf(formula!, (code) => {
        const part = byCode.get(code);
        return part ? exact(part, span) : null;
      });
    if (formula && one.agg === "weighted") return whole(at(asked));
    if (villages.length !== 1) {
      const parts = villages.flatMap((villageId) => known(one, { villages: [villageId], months }) ?? []);
      return parts.length ? summed(one, parts) : null;
    }
    if (!formula) return typed(one, villages[0]!, months);
    return whole(added(atEnd(one, months).map((month) => at({ villages, months: [month] }))));
  }
  function exact(one: Indicator, asked: Over): Ratio | null {
    const all = known(one, asked);
    return all && quotient(all);
  }

  return {
    /** Fen, hundredths of a percent, or a count; null where nothing is known. */
    value: (one: Indicator, asked: Over): number | null => {
      const value = exact(one, asked);
      return value && halfUp({ n: value.n * BigInt(scaleOf(one.unit)), d: value.d });
    },
    /** What a mean is the quotient of, to be shown beside it. */
    parts: (one: Indicator, asked: Over): { num: number; den: number } | null => {
      const all = one.agg === "weighted" && isInput(one) ? known(one, asked) : null;
      return (
        all && { num: Number(all.num.n) / Number(all.num.d), den: Number(all.den.n) / Number(all.den.d) }
      );
    },
  };
}
export type Evaluator = ReturnType<typeof evaluator>;

/** Actual ÷ budget; without a budget, or one of a loss, nothing is said. */
export const reachedOf = (actual: number | null, budget: number | null): number | null =>
  actual === null || budget === null || budget <= 0 ? null : halfUp(ratio(actual * 10_000, budget)) / 10_000;

/** Where a completion stands: up to 90 % and 110 % is a warning. */
export function toneOf(share: number | null, better: Indicator["better"]): "green" | "gold" | "red" | "grey" {
  if (share === null) return "grey";
  if (better === "up") return share >= 1 ? "green" : share >= 0.9 ? "gold" : "red";
  return share <= 1 ? "green" : share <= 1.1 ? "gold" : "red";
}

export const isMoney = (unit: Unit): boolean => unit === "yuan" || unit === "yuanPerRoomMonth";

/** 8,000.00 · 93.77% · 12 */
export function shownValue(unit: Unit, value: number | null): string {
  if (value === null) return "—";
  if (isMoney(unit)) return yuan(value);
  return unit === "percent" ? `${yuan(value)}%` : String(value);
}

/** The same as a figure of a sheet: yuan, percent or a count. */
export const figureOf = (unit: Unit, value: number | null): number | null =>
  value === null ? null : isMoney(unit) || unit === "percent" ? value / 100 : value;

/** The same with two decimals, whatever it counts: 90.00, 8,000.00, 12.00. */
export const hundredthsOf = (unit: Unit, value: number | null): number | null =>
  value === null || isMoney(unit) || unit === "percent" ? value : value * 100;

/** Such a figure as people read it. */
export const shownFigure = (unit: Unit, figure: number | null): string =>
  shownValue(
    unit,
    figure === null ? null : Math.round(figure * (isMoney(unit) || unit === "percent" ? 100 : 1)),
  );

/** The same as it is typed; `grouped` with its thousands. */
export const typeableValue = (unit: Unit, value: number | null, grouped = false): string => {
  if (value === null) return "";
  return isMoney(unit) || unit === "percent" ? yuan(value, grouped) : String(value);
};

/** The sentence against a value, or nothing. */
export function valueRefusal(unit: Unit, value: number): string | undefined {
  if (!Number.isInteger(value)) return "请输入数字";
  if (unit === "percent") return value >= 0 && value <= 10_000 ? undefined : "请输入0到100之间的数";
  if (Math.abs(value) > AMOUNT_MAX) return isMoney(unit) ? "金额过大" : "数字过大";
  return isMoney(unit) || value >= 0 ? undefined : "请输入0或正整数";
}

/** What somebody typed or pasted: 8,000.00, 96%, 12; empty takes it away. */
export function typedValue(unit: Unit, typed: string): { value: number | null } | { msg: string } {
  const text = digits(typed).replace(unit === "percent" ? /%$/ : /$^/, "");
  if (!text) return { value: null };
  if (!/^-?\d+(\.\d+)?$/.test(text)) return { msg: "请输入数字" };
  const [whole, part = ""] = text.replace("-", "").split(".");
  const places = isMoney(unit) || unit === "percent" ? 2 : 0;
  if (part.length > places) return { msg: places ? "最多两位小数" : "请输入整数" };
  const size = Number(`${whole}${part.padEnd(places, "0")}`);
  const value = text.startsWith("-") ? -size || 0 : size;
  const msg = valueRefusal(unit, value);
  return msg ? { msg } : { value };
}

export const MONTHS = Array.from({ length: 12 }, (_, i) => i + 1);
