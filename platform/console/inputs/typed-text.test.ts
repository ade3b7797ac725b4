import { expect, test } from "vitest";
import { typedFen, typedNumber, typedPhone } from "./typed-text.ts";

test("typed yuan become fen", () => {
  expect(typedFen("3000")).toBe(300_000);
  expect(typedFen(" 3,000.5 ")).toBe(300_050);
  expect(typedFen("3，000。05")).toBe(300_005);
  expect(typedFen("３，０００．０５")).toBe(300_005);
  expect(typedFen("￥3,000.50")).toBe(300_050);
  expect(typedFen("¥ 3000元")).toBe(300_000);
  expect(typedFen("－0.01")).toBe(-1);
  expect(typedFen("-0.01")).toBe(-1);
  expect(typedFen("0.1")).toBe(10);
});

test("nothing typed is nothing, and what is no amount is left to the rule", () => {
  expect(typedFen("  ")).toBeUndefined();
  for (const wrong of ["1.234", "abc", "1.", "--1", "1e3"]) expect(typedFen(wrong)).toBeNaN();
});

test("a number is what people mean by digits", () => {
  expect(typedNumber(" 1,200.5 ")).toBe(1200.5);
  expect(typedNumber("１２")).toBe(12);
  expect(typedNumber("-3.")).toBe(-3);
  expect(typedNumber(".5")).toBe(0.5);
  expect(typedNumber(" ")).toBeUndefined();
  for (const wrong of ["1e3", "0x10", "Infinity", "--1", ".", "十"]) expect(typedNumber(wrong)).toBeNaN();
});

test("a telephone number is taken as an address book writes it", () => {
  expect(typedPhone("138 0571 0002")).toBe("13805710002");
  expect(typedPhone("+86-138 0571 0002")).toBe("13805710002");
  expect(typedPhone("１３８０５７１０００２")).toBe("13805710002");
  expect(typedPhone("0571-88880000")).toBe("0571-88880000");
});
