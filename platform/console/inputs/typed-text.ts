import { AMOUNT_MAX, parseYuan, type Fen } from "../../kernel/fen.ts";
import { digits } from "../../kernel/texts/digits.ts";

/** Typed yuan as fen. "3,000.5" → 300050; undefined when empty; NaN when it is no amount, so that the rule speaks. */
export function typedFen(text: string): Fen | undefined {
  const clean = digits(text);
  if (clean === "") return undefined;
  try {
    const fen = parseYuan(clean);
    return Math.abs(fen) > AMOUNT_MAX * 100 ? Number.NaN : fen;
  } catch {
    return Number.NaN;
  }
}

/** A typed number; undefined when empty, NaN when it is none: neither 1e3 nor 0x10 is what people mean by digits. */
export function typedNumber(text: string): number | undefined {
  const clean = digits(text);
  if (clean === "") return undefined;
  return /^-?(\d+\.?\d*|\.\d+)$/.test(clean) ? Number(clean) : Number.NaN;
}

/** A telephone number as it is typed or pasted from an address book: without gaps and without the country's +86. */
export const typedPhone = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/\s/g, "")
    .replace(/^\+86-?/, "");
