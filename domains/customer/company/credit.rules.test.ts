import { expect, test } from "vitest";
import { creditLeft, limitText, overCreditText } from "./credit.rules.ts";

test("no limit is not a limit of zero", () => {
  expect([limitText(null), limitText(0), limitText(2_000_000)]).toEqual(["不限", "0.00 元", "20,000.00 元"]);
  expect(creditLeft(500_000, null)).toBeNull();
  expect(creditLeft(500_000, 2_000_000)).toBe(1_500_000);
  expect(creditLeft(2_500_000, 2_000_000)).toBe(-500_000);
});

test("a limit is exceeded by what is used already and what comes on top", () => {
  const use = { limit: 5_000_000, used: 4_000_000 };
  expect(overCreditText(use, 3_000_000)).toBe("超出授信额度 20,000.00 元");
  expect(overCreditText(use, 1_000_000)).toBeUndefined();
  expect(overCreditText({ limit: 0, used: 0 }, 1)).toBe("超出授信额度 0.01 元");
});
