import { expect, test } from "vitest";
import { expiryOf, leftText, misfit, tillOn } from "./pay-order.rules.ts";

const MINUTE = 60_000;

test("a code is good as long as its record waits, half an hour without that, and a day at most", () => {
  expect(expiryOf(0, null)).toBe(30 * MINUTE);
  expect(expiryOf(0, 120 * MINUTE)).toBe(120 * MINUTE);
  expect(expiryOf(0, 10_000 * MINUTE)).toBe(1440 * MINUTE);
});

test("only the order's own amount fits", () => {
  expect(misfit({ amount: 100_000 }, { amount: 100_000 })).toBeUndefined();
  expect(misfit({ amount: 100_000 }, { amount: 99_999 })).toBe(
    "渠道通知的金额 999.99 元与收款单 1000.00 元不符",
  );
});

test("what is left is said in minutes, and in hours where it is long", () => {
  expect([30, 7200, 7260, 86_400, -1].map(leftText)).toEqual([
    "1 分钟",
    "2 小时",
    "2 小时 1 分钟",
    "1 天",
    "0 分钟",
  ]);
});

test("the till that moves no money is there in the demo, and where somebody wants it", () => {
  expect([tillOn({ MODE: "demo" }), tillOn({ MODE: "production" })]).toEqual([true, false]);
  expect(tillOn({ MODE: "production", EMBEDDED_TILL: true })).toBe(true);
  expect(tillOn({ MODE: "demo", EMBEDDED_TILL: false })).toBe(false);
});
