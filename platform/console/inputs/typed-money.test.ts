import { expect, test } from "vitest";
import { typedFen } from "./typed-money.ts";

test("typed yuan become fen", () => {
  expect(typedFen("3000")).toBe(300_000);
  expect(typedFen(" 3,000.5 ")).toBe(300_050);
  expect(typedFen("3，000。05")).toBe(300_005);
  expect(typedFen("-0.01")).toBe(-1);
  expect(typedFen("0.1")).toBe(10);
});

test("nothing typed is nothing, and what is no amount is left to the rule", () => {
  expect(typedFen("  ")).toBeUndefined();
  for (const wrong of ["1.234", "abc", "1.", "--1", "1e3"]) expect(typedFen(wrong)).toBeNaN();
});
