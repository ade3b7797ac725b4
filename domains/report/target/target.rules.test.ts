import fc from "fast-check";
import { expect, test } from "vitest";
import { spread, yearValue } from "./target.rules.ts";

test("a year is the sum of what adds up, and the mean of rates", () => {
  expect(yearValue("billed", [100, 200, null])).toBe(300);
  expect(yearValue("occupancyRate", [0.9, null, 1])).toBeCloseTo(0.95);
  expect(yearValue("billed", [null])).toBeNull();
});

test("an amount spread over months loses no fen and stays in proportion", () => {
  expect(spread(100, [1, 1, 1])).toEqual([34, 33, 33]);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 9_999_999_999 }),
      fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 12 }),
      (whole, weights) => {
        const parts = spread(whole, weights);
        const all = weights.reduce((a, b) => a + b, 0);
        expect(parts.reduce((a, b) => a + b, 0)).toBe(all ? whole : 0);
        parts.forEach((part, i) =>
          expect(Math.abs(part - (all ? (whole * weights[i]!) / all : 0))).toBeLessThan(1),
        );
      },
    ),
  );
});
