import {
  decimal,
  type Fen,
  halfUp,
  plus,
  type Ratio,
  ratio,
  times,
  yuan,
} from "../../../platform/kernel/fen.ts";
import { plainWords } from "../../../platform/kernel/field.ts";

export const SHARE_MODE = plainWords({
  percent: "按比例",
  fixed: "固定金额",
  tiered: "分档比例",
  minPlusPercent: "保底加比例",
});
export type ShareMode = keyof typeof SHARE_MODE;

/** A rate for what lies above the band before, up to an amount; the last band has no end. Percent is decimal text. */
export type Band = { upTo: Fen | null; percent: string };
/** What a mode needs of these: percent, amount (fixed, or the least of 保底) or bands. */
export type Terms = {
  shareMode: ShareMode;
  percent?: string | null | undefined;
  amount?: Fen | null | undefined;
  bands?: readonly Band[] | undefined;
};

export type Shared = { share: Fen; formula: string };

const of = (fen: Fen, percent: string): Ratio => times(times(ratio(fen), decimal(percent)), ratio(1, 100));
/** "60.00" as people write it: 60%. */
const word = (percent: string) => `${Number(percent)}%`;

/** Our share of what a partner took, rounded half-up once, and how it is worked out. */
export function shareOf(terms: Terms, gross: Fen): Shared {
  const { shareMode, percent, amount } = terms;
  if (shareMode === "fixed") return { share: amount!, formula: `固定 ${yuan(amount!)}` };
  if (shareMode === "tiered") return tiered(terms.bands!, gross);
  const part = halfUp(of(gross, percent!));
  const formula = `${yuan(gross)} × ${word(percent!)} = ${yuan(part)}`;
  if (shareMode === "percent") return { share: part, formula };
  const share = Math.max(amount!, part);
  return { share, formula: `保底 ${yuan(amount!)}，${formula}，取 ${yuan(share)}` };
}

function tiered(bands: readonly Band[], gross: Fen): Shared {
  let sum = ratio(0);
  let from = 0;
  const told: string[] = [];
  for (const { upTo, percent } of bands) {
    const part = Math.max(0, Math.min(gross, upTo ?? gross) - from);
    if (part) told.push(`${yuan(part)} × ${word(percent)}`);
    sum = plus(sum, of(part, percent));
    from = upTo ?? gross;
  }
  const share = halfUp(sum);
  return { share, formula: `${told.join(" + ") || yuan(0)} = ${yuan(share)}` };
}

/** What is wrong with terms, by field: what the mode needs is there, bands rise and the last one has no end. */
export function termsRefusal(terms: Partial<Terms>): { path: (string | number)[]; msg: string } | undefined {
  const { shareMode, percent, amount, bands = [] } = terms;
  if ((shareMode === "percent" || shareMode === "minPlusPercent") && !percent)
    return { path: ["percent"], msg: "请输入分成比例" };
  if ((shareMode === "fixed" || shareMode === "minPlusPercent") && !amount)
    return { path: ["amount"], msg: shareMode === "fixed" ? "请输入固定金额" : "请输入保底金额" };
  if (shareMode !== "tiered") return undefined;
  if (!bands.length) return { path: ["bands"], msg: "请至少填写一个档位" };
  let from = 0;
  for (const [i, { upTo }] of bands.entries()) {
    const last = i === bands.length - 1;
    if (last !== (upTo === null))
      return { path: ["bands", i, "upTo"], msg: last ? "最后一档不填上限" : "请输入该档上限" };
    if (upTo !== null && upTo <= from) return { path: ["bands", i, "upTo"], msg: "上限须大于上一档" };
    from = upTo ?? from;
  }
  return undefined;
}

/** Terms in one line, for lists: 5% 保底 3,500.00. */
export function termsWord({ shareMode, percent, amount, bands = [] }: Terms): string {
  if (shareMode === "percent") return word(percent!);
  if (shareMode === "fixed") return `固定 ${yuan(amount!)}`;
  if (shareMode === "minPlusPercent") return `${word(percent!)}，保底 ${yuan(amount!)}`;
  return bands
    .map(({ upTo, percent: rate }) =>
      upTo === null ? `以上 ${word(rate)}` : `至 ${yuan(upTo)} ${word(rate)}`,
    )
    .join("，");
}
