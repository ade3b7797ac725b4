import { expect, test } from "vitest";
import { barsOf, lineOf, roundUp, shortYuan, type DayOf } from "./trend.rules.ts";

const day = (rate: number | null, collected: number | null): DayOf => ({
  day: "2026-11-20",
  rate,
  collected,
});

test("amounts on an axis are short", () => {
  expect([0, 99_900, 1_000_000, 16_000_000, 1_250_000].map(shortYuan)).toEqual([
    "0",
    "999",
    "1万",
    "16万",
    "1.3万",
  ]);
});

test("the axis ends at a round number that holds the highest bar", () => {
  expect([0, 1, 3, 4.1, 99, 16_200].map(roundUp)).toEqual([1, 1, 4, 5, 100, 20_000]);
  const { heights, ticks } = barsOf([day(null, 100), day(null, 400), day(null, -50)], 0, 80);
  expect(heights).toEqual([20, 80, 0]);
  expect(ticks.map((t) => t.y)).toEqual([0, 40, 80]);
});

test("a day that nobody knows has no point, and a flat line does not fill the picture", () => {
  const { points, ticks } = lineOf([day(0.95, null), day(null, null), day(0.95, null)], 0, 50);
  expect(points).toEqual([50, null, 50]);
  expect(ticks.map((t) => t.text)).toEqual(["97%", "95%"]);
  expect(lineOf([day(null, 1)], 0, 50).points).toEqual([null]);
  expect(barsOf([day(1, null)], 0, 50).heights).toEqual([null]);
});
