import {
  type Fen,
  type Ratio,
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  times,
  yuan,
} from "../../../platform/kernel/fen.ts";
import type { FieldError } from "../../../platform/kernel/refusal.ts";
import { BAND_MODES, type TurnoverRule } from "./terms.contract.ts";

type Bands = Pick<TurnoverRule, "bandMode" | "bands">;
/** What of the turnover a band takes, and what that costs. */
export type BandPart = { sales: Fen; rate: string; amount: Fen };

const ONE = ratio(1);
const cost = (sales: Fen, rate: string): Ratio => over(times(ratio(sales), decimal(rate)), ratio(100));

/** How a turnover falls into the bands, from what was sold before on; a partial month has its share of their limits. */
function partsOf(
  { bandMode, bands }: Bands,
  net: Fen,
  weight: Ratio,
  before: Fen = 0,
): { sales: Fen; rate: string }[] {
  const limits = bands.map((b) => (b.upTo == null ? Infinity : halfUp(times(ratio(b.upTo), weight))));
  if (bandMode === "whole") {
    const band = bands[limits.findIndex((limit) => net <= limit)];
    return band && net > 0 ? [{ sales: net, rate: band.rate }] : [];
  }
  return bands.flatMap((band, i) => {
    const from = Math.max(i ? limits[i - 1]! : 0, before);
    const sales = Math.min(net, limits[i]!) - from;
    return sales > 0 ? [{ sales, rate: band.rate }] : [];
  });
}

/** The share of a turnover, rounded once. */
export function turnoverRent(rule: Bands, net: Fen, weight: Ratio = ONE): Fen {
  const exact = partsOf(rule, net, weight).reduce((sum, p) => plus(sum, cost(p.sales, p.rate)), ratio(0));
  return halfUp(exact);
}

/** The same band by band, to be read. */
export const bandParts = (rule: Bands, net: Fen, weight: Ratio = ONE): BandPart[] =>
  partsOf(rule, net, weight).map((p) => ({ ...p, amount: halfUp(cost(p.sales, p.rate)) }));

export const partText = ({ sales, rate, amount }: BandPart): string =>
  `${yuan(sales)} × ${Number(rate)}% = ${yuan(amount)}`;

/** What a month costs where bands run over the year, after what was sold in it before: to be read like the parts of a month. */
export function yearParts(rule: Bands, before: Fen, net: Fen): string[] {
  const read = (parts: ReturnType<typeof partsOf>) =>
    parts.map((p) => partText({ ...p, amount: halfUp(cost(p.sales, p.rate)) }));
  if (rule.bandMode !== "whole") return read(partsOf(rule, before + net, ONE, before));
  const [now, until] = [before + net, before].map((sold) => read(partsOf(rule, sold, ONE)));
  return [...now!.map((text) => `本年累计 ${text}`), ...until!.map((text) => `减：此前累计 ${text}`)];
}

/**
 * The turnover at which the share overtakes the base: 108,333.33 where 100,000.00 cost 9,000.00 of a base of 10,000.00 and 12 % are
 * taken above. Null where it never does.
 */
export function breakEven({ bandMode, bands }: Bands, base: Fen): Fen | null {
  let before = ratio(0);
  let from = 0;
  for (const { upTo, rate } of bands) {
    const share = decimal(rate);
    if (share.n > 0n) {
      const rest = bandMode === "whole" ? ratio(base) : plus(ratio(base), times(before, ratio(-1)));
      const sales = halfUp(over(times(rest, ratio(100)), share));
      const at = Math.max(from, bandMode === "whole" ? sales : from + sales);
      if (upTo == null || at <= upTo) return at;
    }
    before = plus(before, cost((upTo ?? from) - from, rate));
    from = upTo ?? from;
  }
  return null;
}

const RATE = /^\d{1,3}(\.\d{1,4})?$/;

/** What is wrong with a rule, by the names of the form's fields. */
export function ruleErrors(rule: TurnoverRule | null | undefined): FieldError[] {
  if (!rule || rule.rentKind === "fixed") return [];
  const errors: FieldError[] = [];
  const report = (field: string, msg: string) => errors.push({ field: `turnover.${field}`, msg });
  const { bands } = rule;
  if (!bands.length) report("bands", "请填写扣点");
  bands.forEach(({ upTo, rate }, i) => {
    const last = i === bands.length - 1;
    if (!RATE.test(rate) || Number(rate) > 100) report(`bands.${i}.rate`, "扣点为 0 至 100%");
    if (last ? upTo != null : upTo == null)
      report(`bands.${i}.upTo`, last ? "最后一档不设上限" : "请填写分档上限");
    else if (!last && upTo! <= (bands[i - 1]?.upTo ?? 0)) report(`bands.${i}.upTo`, "分档上限须逐档增大");
  });
  if (rule.declareDay < 1 || rule.declareDay > 28) report("declareDay", "申报日为 1 至 28");
  return errors;
}

/** 12%, or 8%/10%/12% 超额累进. */
export function ratesText({ bands, bandMode }: Pick<TurnoverRule, "bands" | "bandMode">): string {
  const rates = bands.map((b) => `${Number(b.rate)}%`).join("/");
  return bands.length > 1 ? `${rates} ${BAND_MODES[bandMode][0]}` : rates;
}

/** The rule as the paper prints it; nothing for a fixed rent. */
export function turnoverClauses(rule: TurnoverRule | null | undefined): string[] {
  if (!rule || rule.rentKind === "fixed") return [];
  const steps = rule.bands.map(({ upTo, rate }, i) => {
    const from = i ? `${yuan(rule.bands[i - 1]!.upTo ?? 0)} 元以上` : "";
    const to = upTo == null ? "" : `${i ? "至 " : ""}${yuan(upTo)} 元${i ? "" : "以内"}`;
    return `${from}${to}${from || to ? "部分 " : ""}${Number(rate)}%`;
  });
  const way = rule.bandMode === "whole" ? "按所在档的比例对全额计提" : "分档累进计提";
  const head =
    rule.rentKind === "higherOf"
      ? "月租金为保底租金，营业额提成高于保底租金的，乙方补足差额。"
      : "租金按营业额提成计收。";
  return [
    `${head}提成以${rule.netOfTax ? "不含税" : "含税"}营业净额为基数，${steps.join("，")}${rule.bands.length > 1 ? `，${way}` : ""}${
      rule.bandBasis === "year" ? "，按年累计" : ""
    }。`,
    `乙方于每月 ${rule.declareDay} 日前申报上月营业额；逾期未申报的，${
      rule.missing === "avg3" ? "按最近三个月的平均值暂计" : "按保底租金暂计"
    }，差额在补报后结清。${rule.excludedCategories ? `下列不计入营业额：${rule.excludedCategories}。` : ""}`,
  ];
}
