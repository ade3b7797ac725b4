import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { taxOf } from "../bill/bill.rules.ts";
import { priced, percentOf } from "../bill/make.rules.ts";
import type { Segment } from "../latefee/latefee.rules.ts";
import { type Taxed, taxWord } from "../subject/subject.rules.ts";

/** A label and a sentence: 规则, 天数, 算式, 取整, 税额. */
export type Said = readonly [label: string, sentence: string];
/**
 * What a rule says about a line, and what it works out to; null where the rule is not arithmetic. `priced`: the amount as a
 * price times a number, where it is that.
 */
export type Explained = { rows: Said[]; amount: Fen | null; priced?: string };
export type Explainer = (explain: Record<string, unknown>) => Explained;

const known = new Map<string, Explainer>();

/** Whoever makes bills by a rule says here, once, how a line's stored explanation reads and works out again. */
export function explains(rules: readonly string[], explainer: Explainer): void {
  for (const rule of rules) known.set(rule, explainer);
}

/** The explanation of a line as people read it, with its tax; the amount is worked out anew from the stored inputs. */
export function explainLine(
  line: Taxed & { kind: string; amount: Fen; tax: Fen; reason: string; explain: Record<string, unknown> },
): Explained {
  const rule = String(line.explain["rule"] ?? "");
  const said = known.get(rule)?.(line.explain) ?? plain(line.explain);
  const whole = line.kind === "normal" || (line.kind === "lateFee" && line.amount > 0);
  const tax: Said[] =
    line.taxMode === "none"
      ? [["税额", "不征税"]]
      : whole
        ? [["税额", `${taxFormula(line.amount, line)} = ${yuan(taxOf(line.amount, line))}`]]
        : [["税额", `按调整后与调整前税额之差 ${yuan(line.tax)}（${taxWord(line)}）`]];
  return { ...said, rows: [...said.rows, ...tax] };
}

function taxFormula(amount: Fen, taxed: Taxed): string {
  if (taxed.taxMode === "reduced15") return `${yuan(amount)} ÷ 1.05 × 1.5%`;
  return `${yuan(amount)} ÷ (1 + ${taxWord(taxed)}) × ${taxWord(taxed)}`;
}

const plain: Explainer = (explain) => ({
  amount: null,
  rows: typeof explain["formula"] === "string" ? [["算式", explain["formula"]]] : [],
});

explains(["manual"], (explain) => {
  const quantity = String(explain["quantity"] ?? "1");
  const price = Number(explain["price"] ?? 0);
  const amount = priced(quantity, price);
  return {
    amount,
    priced: `${yuan(price)} × ${quantity}`,
    rows: [
      ["规则", "手工录入"],
      ["算式", `${yuan(price)} × ${quantity} = ${yuan(amount)}`],
    ],
  };
});

explains(["adjust", "trim"], (explain) => {
  const { before, amount } = explain as { before: Fen; amount: Fen };
  return {
    amount,
    rows: [
      ["规则", explain["rule"] === "trim" ? "租期缩短" : "减免调整"],
      [
        "算式",
        `${yuan(before)} ${amount < 0 ? "−" : "+"} ${yuan(Math.abs(amount))} = ${yuan(before + amount)}`,
      ],
    ],
  };
});

explains(["lateFee"], (explain) => {
  const { segments, total, before } = explain as { segments: Segment[]; total: Fen; before: Fen };
  const parts = segments.filter((s) => s.days > 0);
  return {
    amount: total - before,
    rows: [
      ["规则", "欠款本金 × 日利率 × 天数，不计复利，争议期间不计"],
      ...parts.map((s): Said => [
        `${s.from} ~ ${s.to}`,
        `${yuan(s.principal)} × ${percentOf(s.rate)} × ${s.days} 天 = ${yuan(s.fee)}`,
      ]),
      [
        "算式",
        before
          ? `累计 ${yuan(total)} − 已入账 ${yuan(before)} = ${yuan(total - before)}`
          : `合计 ${yuan(total)}`,
      ],
    ],
  };
});
