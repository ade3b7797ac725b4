import { describe, expect, test } from "vitest";
import { changeOf, layOn, slicesOf, type Bearer } from "./bill.rules.ts";

const bearer = (id: number, net: number, taken = 0): Bearer => ({
  id,
  feeSubjectId: 1,
  roomId: null,
  net,
  taken,
  taxMode: "none",
  taxRate: "0",
});

describe("a correction is laid on lines", () => {
  test("a reduction stops at what is paid or written off of each, and goes on with the next", () => {
    const lines = [bearer(1, 1000, 400), bearer(2, 500)];
    expect(layOn(lines, -600)).toEqual([{ lineId: 1, amount: -600, tax: 0 }]);
    expect(layOn(lines, -601)).toEqual([
      { lineId: 1, amount: -600, tax: 0 },
      { lineId: 2, amount: -1, tax: 0 },
    ]);
    expect(layOn(lines, -1100)).toHaveLength(2);
    expect(layOn(lines, -1101), "one fen more than they can bear").toBeUndefined();
    expect(
      layOn([bearer(1, 400, 400), bearer(2, 500)], -1),
      "a line that is taken whole is passed over",
    ).toEqual([{ lineId: 2, amount: -1, tax: 0 }]);
  });
  test("an increase stands on the first; nothing needs nothing", () => {
    expect(layOn([bearer(1, 0)], 1)).toEqual([{ lineId: 1, amount: 1, tax: 0 }]);
    expect(layOn([bearer(1, 0), bearer(2, 500)], 7)).toEqual([{ lineId: 1, amount: 7, tax: 0 }]);
    expect(layOn([bearer(1, 100)], 0)).toEqual([]);
    expect(layOn([], 1)).toBeUndefined();
  });
  test("the tax is that of the line after less that of before", () => {
    const taxed = { ...bearer(1, 10_600), taxMode: "rate" as const, taxRate: "0.06" };
    expect(layOn([taxed], -5300)).toEqual([{ lineId: 1, amount: -5300, tax: -300 }]);
  });
});

test("a change in fen: so much less, so much more, so many percent off, half a fen up", () => {
  expect(changeOf(1000, { mode: "minus", value: 30 })).toBe(-30);
  expect(changeOf(1000, { mode: "plus", value: 30 })).toBe(30);
  expect(changeOf(1000, { mode: "percent", percent: "5" })).toBe(-50);
  expect(changeOf(1010, { mode: "percent", percent: "5" })).toBe(-51);
});

test("a correction is spread over the months that cost something, and adds up", () => {
  const month = (n: number, amount: number) => ({ from: `2026-0${n}-01`, to: `2026-0${n}-28`, amount });
  expect(slicesOf([month(1, 100), month(2, 0), month(3, 200)], -100)).toEqual([month(1, -33), month(3, -67)]);
  expect(slicesOf([month(1, 1), month(2, 1)], 2), "a month of one fen counts").toHaveLength(2);
  expect(slicesOf([month(1, 0)], 5)).toEqual([]);
  expect(slicesOf([], 5)).toEqual([]);
});
