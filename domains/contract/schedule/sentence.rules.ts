import {
  type Fen,
  type Ratio,
  decimal,
  halfUp,
  minus,
  plus,
  ratio,
  times,
  yuan,
} from "../../../platform/kernel/fen.ts";
import { percentOff, sharedOff } from "./discounts.rules.ts";
import type { Explain, Fraction, MonthDays, PriceExplain, PricePart } from "./line.rules.ts";
import type { Basis } from "./terms.rules.ts";
import { weight } from "./write.rules.ts";

export function fractionOf(text: Fraction): Ratio {
  const [n, d] = text.split("/");
  return ratio(BigInt(n!), BigInt(d!));
}

/** price × (W(counted + days) − W(counted)), from the inputs alone. */
export function exactOf({ basis, area }: Pick<PriceExplain, "basis" | "area">, part: MonthDays): Ratio {
  const { counted, days, monthDays, price } = part;
  const upTo = weight(basis, counted + days, monthDays, area);
  return times(ratio(price), minus(upTo, weight(basis, counted, monthDays, area)));
}

/** The fen of one stretch of days: rounded on the month's running total. */
export function partAmount(
  explain: Pick<PriceExplain, "basis" | "area">,
  part: PriceExplain["parts"][number],
): Fen {
  if (!("monthDays" in part)) return part.price * part.months;
  const before = fractionOf(part.before);
  return halfUp(plus(before, exactOf(explain, part))) - halfUp(before);
}

/** Works a line's amount out again from its explanation. */
export function recompute(explain: Explain): Fen {
  switch (explain.rule) {
    case "rent":
    case "fee":
      return explain.parts.reduce((sum, part) => sum + partAmount(explain, part), 0);
    case "free":
      return 0;
    case "wholePeriod":
      return explain.price * explain.months;
    case "once":
    case "depositAmount":
      return explain.price;
    case "depositMonths":
      return halfUp(times(ratio(explain.price), decimal(explain.months)));
    case "depositRest":
      return explain.price - explain.carried;
    case "firstMonths":
      return -explain.parts.reduce((sum, part) => sum + part.base, 0);
    case "percentOff":
      return -explain.parts.reduce((sum, p) => sum + Math.min(p.base, percentOff(p.base, explain.value)), 0);
    case "amountOff":
      return -explain.parts.reduce((sum, part) => sum + sharedOff(part), 0);
  }
}

export const BASIS_WORD: Record<Basis, string> = {
  actual: "按实际天数",
  "30": "按每月30天",
  "365": "按每年365天",
  area: "按面积",
};

/** The product that a part of a month costs, as a person would write it down. */
function product(explain: PriceExplain, { price, days, monthDays, counted }: MonthDays): string {
  const { basis, area } = explain;
  const rest = counted + days >= monthDays;
  const rent = yuan(price);
  if (basis === "actual") return `${rent} × ${days} ÷ ${monthDays}`;
  if (basis === "30") return rest ? `${rent} × (1 − ${counted} ÷ 30)` : `${rent} × ${days} ÷ 30`;
  if (basis === "365" || !area)
    return rest ? `${rent} × (1 − ${12 * counted} ÷ 365)` : `${rent} × 12 × ${days} ÷ 365`;
  const perDay = `${area.unitPrice} × ${area.area}`;
  if (price === area.rent) return rest ? `${rent} − ${perDay} × ${counted}` : `${perDay} × ${days}`;
  const share = `${perDay} × ${rest ? counted : days} ÷ ${yuan(area.rent)}`;
  return rest ? `${rent} × (1 − ${share})` : `${rent} × ${share}`;
}

function partSentence(explain: PriceExplain, part: PricePart): string {
  const amount = partAmount(explain, part);
  if (!("monthDays" in part)) return `${yuan(part.price)} × ${part.months} 个月 = ${yuan(amount)}`;
  const formula = product(explain, part);
  const exact = exactOf(explain, part);
  const alone = halfUp(exact);
  if (alone === amount) return `${formula} = ${yuan(amount)}`;
  const before = fractionOf(part.before);
  const upTo = halfUp(plus(before, exact));
  const running = `当月累计 ${yuan(upTo)} − 已计 ${yuan(halfUp(before))} = ${yuan(amount)}`;
  return `${formula} = ${yuan(alone)}，${running}`;
}

const months = (parts: readonly { month: number }[]): string =>
  parts.length === 1 ? `第 ${parts[0]!.month} 个月` : `第 ${parts[0]!.month}-${parts.at(-1)!.month} 个月`;

/** One row for each stretch of a line; the last says the rounding. */
export function sentences(explain: Explain): { rows: string[]; note: string } {
  const amount = recompute(explain);
  const off = yuan(amount).replace("-", "−");
  const plain = (row: string, note = "") => ({ rows: [row], note });
  switch (explain.rule) {
    case "rent":
    case "fee": {
      const rounded = explain.parts.some((p) => "monthDays" in p);
      return {
        rows: explain.parts.map((part) => partSentence(explain, part)),
        note: rounded ? `${BASIS_WORD[explain.basis]}，四舍五入到分` : "",
      };
    }
    case "free":
      return plain(`免租 ${explain.days} 天 0.00`, `免收 ${yuan(explain.forgone)}`);
    case "wholePeriod":
      return plain(`${yuan(explain.price)} × ${explain.months} 个月 = ${yuan(amount)}`, "不足整期按整期");
    case "once":
      return plain(`一次性收取 ${yuan(amount)}`);
    case "depositAmount":
      return plain(`约定押金 ${yuan(amount)}`);
    case "depositMonths":
      return plain(`${yuan(explain.price)} × ${explain.months} 个月 = ${yuan(amount)}`, "押金，不随租金递增");
    case "depositRest":
      return plain(`${yuan(explain.price)} − ${yuan(explain.carried)} = ${yuan(amount)}`, "原合同押金转入");
    case "firstMonths":
      return plain(`${months(explain.parts)}免租金优惠 ${off}`);
    case "percentOff":
      return plain(
        `${months(explain.parts)} ${bases(explain.parts)} × ${explain.value}% = ${off}`,
        "逐月四舍五入到分",
      );
    case "amountOff":
      return plain(`${months(explain.parts)}减免，共 ${yuan(Number(explain.value))}，本行 ${off}`);
  }
}

function bases(parts: readonly { base: Fen }[]): string {
  const rows = [...Map.groupBy(parts, (p) => p.base)].map(([base, same]) =>
    same.length === 1 ? yuan(base) : `${yuan(base)} × ${same.length}`,
  );
  return rows.length === 1 ? rows[0]! : `(${rows.join(" + ")})`;
}

/** The explanation in words: "3,500.00 × 22 ÷ 31 = 2,483.87（按实际天数，四舍五入到分）". */
export function sentence(explain: Explain): string {
  const { rows, note } = sentences(explain);
  const whole = rows.length > 1 ? `；合计 ${yuan(recompute(explain))}` : "";
  return `${rows.join("；")}${whole}${note ? `（${note}）` : ""}`;
}

const perMonth = (price: Fen, months: number | string) => `${yuan(price)} × ${months} 个月`;

/** A line as its price times months or days, the first two stretches of it; nothing where it is a sum of its own. */
export function pricedOf(explain: Explain): string {
  switch (explain.rule) {
    case "rent":
    case "fee": {
      const said = explain.parts.map((part) =>
        "monthDays" in part ? `${yuan(part.price)}/月 × ${part.days} 天` : perMonth(part.price, part.months),
      );
      return said.length > 2 ? `${said.slice(0, 2).join(" + ")} …` : said.join(" + ");
    }
    case "wholePeriod":
    case "depositMonths":
      return perMonth(explain.price, explain.months);
    case "once":
    case "depositAmount":
      return `${yuan(explain.price)} × 1`;
    default:
      return "";
  }
}
