import { AMOUNT_MAX, parseYuan, type Fen } from "../../kernel/fen.ts";

/** Typed yuan as fen. "3,000.5" → 300050; undefined when empty; NaN when it is no amount, so that the rule speaks. */
export function typedFen(text: string): Fen | undefined {
  const clean = text.replaceAll(/[,，\s]/g, "").replaceAll("。", ".");
  if (clean === "") return undefined;
  try {
    const fen = parseYuan(clean);
    return Math.abs(fen) > AMOUNT_MAX * 100 ? Number.NaN : fen;
  } catch {
    return Number.NaN;
  }
}
