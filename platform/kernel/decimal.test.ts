import fc from "fast-check";
import { expect, test } from "vitest";
import { add, divide, multiply, showNumber, subtract } from "./decimal.ts";

test("sums, differences and products are exact in decimals", () => {
  expect(add(0.1, 0.2)).toBe(0.3);
  expect(add("1.005", 0.0001)).toBe(1.0051);
  expect(subtract(1.1, 1)).toBe(0.1);
  expect(subtract(0.3, 0.1)).toBe(0.2);
  expect(multiply(1.005, 100)).toBe(100.5);
  expect(multiply(-19.9, 100)).toBe(-1990);
  expect(multiply(1e-7, 3)).toBe(3e-7);
  expect(add(1e21, 1)).toBe(1e21);
});

test("empty counts as 0, and what is no number gives none", () => {
  expect(add(null, 2.5)).toBe(2.5);
  expect(subtract("", "null")).toBe(0);
  expect(multiply(undefined, 7)).toBe(0);
  expect(add("abc", 1)).toBeNaN();
  expect(divide("1,000", 2)).toBeNaN();
});

test("division rounds half away from zero to 2 decimals and gives 0 for a divisor of 0", () => {
  expect(divide(10, 3)).toBe(3.33);
  expect(divide(1, 8)).toBe(0.13);
  expect(divide(-1, 8)).toBe(-0.13);
  expect(divide(2, 3, 4)).toBe(0.6667);
  expect(divide(5, 2, 0)).toBe(3);
  expect(divide(5, 0)).toBe(0);
  expect(divide(5, "")).toBe(0);
});

test("numbers are shown with thousands and 2 decimals", () => {
  expect(showNumber(1234567.891)).toBe("1,234,567.89");
  expect(showNumber(1.005)).toBe("1.01");
  expect(showNumber("-1234.5")).toBe("-1,234.50");
  expect(showNumber(999.995)).toBe("1,000.00");
  expect(showNumber(0)).toBe("0.00");
  expect(showNumber(-0.001)).toBe("0.00");
  expect(showNumber(1234567, 0)).toBe("1,234,567");
  expect(showNumber(0.1234567, 6)).toBe("0.123457");
  for (const empty of [null, undefined, "", "null"]) expect(showNumber(empty)).toBe("0");
  expect(showNumber(Number.NaN)).toBe("—");
});

test("hundredths behave like whole numbers", () => {
  const hundredths = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 });
  fc.assert(
    fc.property(hundredths, hundredths, (a, b) => {
      expect(add(a / 100, b / 100)).toBe((a + b) / 100);
      expect(subtract(a / 100, b / 100)).toBe((a - b) / 100);
      expect(subtract(add(a / 100, b / 100), b / 100)).toBe(a / 100 + 0);
    }),
  );
});
