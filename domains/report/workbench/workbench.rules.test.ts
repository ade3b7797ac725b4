import { expect, test } from "vitest";
import { columnOf, EVERYTHING, isOn, mondayOf, type Arrangement } from "./workbench.rules.ts";

test("until somebody chooses every card stands in its column", () => {
  expect(columnOf(EVERYTHING, "main")).toEqual(["todo", "figures", "pictures"]);
  expect(columnOf(EVERYTHING, "side")).toEqual(["approvals", "news", "quick", "week"]);
  expect(isOn(EVERYTHING, "week")).toBe(true);
});

test("an own order goes before, and cards it does not know come last", () => {
  const own: Arrangement = { cards: { quick: false }, figures: [], order: ["week", "pictures", "todo"] };
  expect(columnOf(own, "main")).toEqual(["pictures", "todo", "figures"]);
  expect(columnOf(own, "side")).toEqual(["week", "approvals", "news", "quick"]);
  expect(isOn(own, "quick")).toBe(false);
  const old = { ...own, order: ["gone", "week"] as never };
  expect(columnOf(old, "side")[0]).toBe("week");
});

test("a week begins on Monday", () => {
  expect(["2026-11-16", "2026-11-20", "2026-11-22", "2026-11-23"].map(mondayOf)).toEqual([
    "2026-11-16",
    "2026-11-16",
    "2026-11-16",
    "2026-11-23",
  ]);
});
