import fc from "fast-check";
import { expect, test } from "vitest";
import { taxOf, taxOfChange } from "./bill.rules.ts";
import { type Taxed, taxWord } from "../subject/subject.rules.ts";

const reduced: Taxed = { taxMode: "reduced15", taxRate: "0.015" };
const rate = (taxRate: string): Taxed => ({ taxMode: "rate", taxRate });

test("the tax inside an amount", () => {
  expect(taxOf(300_000, reduced)).toBe(4286);
  expect(taxOf(1_000_000, rate("0.09"))).toBe(82_569);
  expect(taxOf(10_000, rate("0.06"))).toBe(566);
  expect(taxOf(3080, reduced)).toBe(44);
  expect(taxOf(300_000, { taxMode: "none", taxRate: "0" })).toBe(0);
});

test("5% off 3,000.00 takes 2.15 of tax away: 40.71 is left of 42.86", () => {
  expect(taxOfChange(300_000, -15_000, reduced)).toBe(-215);
  expect(taxOf(285_000, reduced)).toBe(4071);
});

test("a rate reads as it is, up to the whole", () => {
  expect(taxWord({ taxMode: "rate", taxRate: "1" })).toBe("100%");
  expect(taxWord({ taxMode: "reduced15", taxRate: "0.015" })).toBe("减按1.5%");
});

test("a line and its corrections carry exactly the tax of what is left", () => {
  const changes = fc.array(fc.integer({ min: -50_000, max: 50_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 9_999_999 }), changes, (amount, list) => {
      let net = amount;
      let tax = taxOf(amount, reduced);
      for (const change of list) {
        tax += taxOfChange(net, change, reduced);
        net += change;
      }
      expect(tax).toBe(taxOf(net, reduced));
    }),
  );
});
