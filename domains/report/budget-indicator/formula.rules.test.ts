import fc from "fast-check";
import { expect, test } from "vitest";
import { type Ratio, ratio } from "../../../platform/kernel/fen.ts";
import { codesIn, type Formula, formulaText, readFormula, valueOf } from "./formula.rules.ts";

const NAMES: Record<string, string> = { 收入: "income", 成本: "cost", 套数: "rooms" };
const codeOf = (typed: string) => NAMES[typed] ?? (Object.values(NAMES).includes(typed) ? typed : undefined);
const read = (text: string) => {
  const got = readFormula(text, codeOf);
  if ("msg" in got) throw new Error(got.msg);
  return got.formula;
};
const number = (value: Ratio | null) => value && Number(value.n) / Number(value.d);
const worth = (text: string, of: Record<string, number>) =>
  number(valueOf(read(text), (code) => (code in of ? ratio(of[code]!) : null)));

test("names and codes, signs as they are typed, what binds closer first", () => {
  expect(worth("收入 - 成本", { income: 10, cost: 4 })).toBe(6);
  expect(worth("收入 + 成本 × 套数", { income: 10, cost: 4, rooms: 3 })).toBe(22);
  expect(worth("（收入+cost）*rooms", { income: 10, cost: 4, rooms: 3 })).toBe(42);
  expect(worth("收入 − 成本 − 套数", { income: 10, cost: 4, rooms: 3 })).toBe(3);
  expect(worth("收入 ÷ (成本 ÷ 套数)", { income: 12, cost: 4, rooms: 2 })).toBe(6);
});

test("what is unknown is nothing in a sum and everything in a quotient; nothing is divided by 0", () => {
  expect(worth("收入 − 成本", { income: 10 })).toBe(10);
  expect(worth("收入 − 成本", {})).toBe(null);
  expect(worth("收入 ÷ 成本", { income: 10 })).toBe(null);
  expect(worth("收入 ÷ 成本", { income: 10, cost: 0 })).toBe(null);
});

test("what is no formula is refused, and what it names and nobody knows is named", () => {
  for (const text of ["", "收入 −", "× 收入", "(收入", "收入 成本)", "收入 − − 成本", "()"])
    expect(readFormula(text, codeOf), text).toHaveProperty("msg");
  expect(readFormula("收入 − 房租", codeOf)).toEqual({ msg: "公式中的指标“房租”不存在" });
});

const formulas: fc.Arbitrary<Formula> = fc.letrec<{ f: Formula }>((tie) => ({
  f: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("income", "cost", "rooms").map((code) => ({ code })),
    fc.record({ op: fc.constantFrom("+", "−", "×", "÷"), a: tie("f"), b: tie("f") }) as fc.Arbitrary<Formula>,
  ),
})).f;

test("law: a formula that was written out is read as what it was, and is worth the same", () => {
  fc.assert(
    fc.property(
      formulas,
      fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 3 }),
      (f, v) => {
        const of = (code: string) => ratio(v[["income", "cost", "rooms"].indexOf(code)]!);
        const again = read(formulaText(f, (code) => code));
        const [a, b] = [valueOf(f, of), valueOf(again, of)];
        expect(a && b && a.n * b.d === b.n * a.d).toBe(a && b ? true : null);
        expect(codesIn(again)).toEqual(codesIn(f));
      },
    ),
  );
});
