import { type Ratio, minus, over, plus, times } from "../../../platform/kernel/fen.ts";

/** A formula over indicators: 收入 − 营业成本, or a quotient of two. */
export type Formula = { code: string } | { op: Op; a: Formula; b: Formula };
type Op = "+" | "−" | "×" | "÷";

/** What people type for the signs. */
const SIGNS: Record<string, string> = {
  "-": "−",
  "*": "×",
  "/": "÷",
  "（": "(",
  "）": ")",
  "＋": "+",
  "－": "−",
};

const tokensOf = (text: string): string[] =>
  text
    .split(/([-+−×÷*/()（）＋－])/)
    .map((token) => token.trim())
    .filter(Boolean)
    .map((token) => SIGNS[token] ?? token);

const WRONG = "公式不正确，请用指标名称或编码和 + − × ÷ 组成";

/** Reads a formula; `codeOf` finds an indicator by what was typed. Answers the sentence against it where it is none. */
export function readFormula(
  text: string,
  codeOf: (operand: string) => string | undefined,
): { formula: Formula } | { msg: string } {
  const tokens = tokensOf(text);
  let at = 0;
  let lost: string | undefined;
  const next = () => tokens[at];
  const operand = (): Formula | undefined => {
    const token = tokens[at++];
    if (token === "(") {
      const inner = sum();
      return tokens[at++] === ")" ? inner : undefined;
    }
    if (token === undefined || "+−×÷()".includes(token)) return undefined;
    const code = codeOf(token);
    if (code === undefined) lost ??= token;
    return { code: code ?? token };
  };
  const chain = (ops: string, part: () => Formula | undefined): Formula | undefined => {
    let a = part();
    while (a && next() !== undefined && ops.includes(next()!)) {
      const op = tokens[at++] as Op;
      const b = part();
      a = b && { op, a, b };
    }
    return a;
  };
  const product = () => chain("×÷", operand);
  const sum = (): Formula | undefined => chain("+−", product);
  const formula = sum();
  if (!formula || at < tokens.length) return { msg: WRONG };
  if (lost !== undefined) return { msg: `公式中的指标“${lost}”不存在` };
  return { formula };
}

/** The same as it is stored or shown, with each indicator as `named`. */
export function formulaText(formula: Formula, named: (code: string) => string): string {
  if ("code" in formula) return named(formula.code);
  const low = (f: Formula) => "op" in f && "+−".includes(f.op);
  const part = (f: Formula, right: boolean) => {
    const inner = formulaText(f, named);
    const closed = "×÷".includes(formula.op)
      ? low(f) || (right && "op" in f)
      : right && formula.op === "−" && low(f);
    return closed ? `(${inner})` : inner;
  };
  return `${part(formula.a, false)} ${formula.op} ${part(formula.b, true)}`;
}

/** The indicators that a formula names. */
export const codesIn = (formula: Formula): string[] =>
  "code" in formula ? [formula.code] : [...codesIn(formula.a), ...codesIn(formula.b)];

const ZERO: Ratio = { n: 0n, d: 1n };

/**
 * The value of a formula. What is unknown counts as nothing in a sum as long as anything is known; a product or quotient
 * needs both, and nothing is divided by 0.
 */
export function valueOf(formula: Formula, of: (code: string) => Ratio | null): Ratio | null {
  if ("code" in formula) return of(formula.code);
  const a = valueOf(formula.a, of);
  const b = valueOf(formula.b, of);
  if ("+−".includes(formula.op)) {
    if (!a && !b) return null;
    return (formula.op === "+" ? plus : minus)(a ?? ZERO, b ?? ZERO);
  }
  if (!a || !b) return null;
  if (formula.op === "×") return times(a, b);
  return b.n === 0n ? null : over(a, b);
}
