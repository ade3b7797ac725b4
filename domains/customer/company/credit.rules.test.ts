import { expect, test } from "vitest";
import { creditLeft, limitText } from "./credit.rules.ts";

test("no limit is not a limit of zero", () => {
  expect([limitText(null), limitText(0), limitText(2_000_000)]).toEqual(["不限", "0.00 元", "20,000.00 元"]);
  expect(creditLeft(500_000, null)).toBeNull();
  expect(creditLeft(500_000, 2_000_000)).toBe(1_500_000);
  expect(creditLeft(2_500_000, 2_000_000)).toBe(-500_000);
});
