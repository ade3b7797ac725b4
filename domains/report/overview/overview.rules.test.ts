import { expect, test } from "vitest";
import { daysOf, endingIn, monthsAhead, titleOf, wantedOf } from "./overview.rules.ts";

test("an address names its records, and what is not one names nothing", () => {
  expect(wantedOf("moved.came")).toEqual({ of: "moved", part: "came" });
  expect(wantedOf("empty")).toEqual({ of: "empty" });
  expect(wantedOf("empty.dirty")).toEqual({ of: "empty", why: "dirty" });
  expect(wantedOf("empty.days2")).toEqual({ of: "empty", days: 2 });
  expect(wantedOf("ending.open.2026-12")).toEqual({ of: "ending", part: "open", month: "2026-12" });
  expect(wantedOf("ending.all")).toEqual({ of: "ending", part: "all" });
  for (const wrong of [null, "", "moved", "moved.gone", "empty.days9", "ending", "rooms"])
    expect(wantedOf(wrong)).toBeUndefined();
  expect(wantedOf("ending.all.2026-13")).toEqual({ of: "ending", part: "all" });
});

test("a list is called by what it holds", () => {
  expect(titleOf({ of: "moved", part: "went" })).toBe("退租");
  expect(titleOf({ of: "empty", days: 1 })).toBe("空置 8-30 天");
  expect(titleOf({ of: "ending", part: "renewed", month: "2027-01" })).toBe("2027-01 到期已续租");
});

test("classes of empty days meet without a gap, the last is open", () => {
  expect([0, 1, 2, 3].map(daysOf)).toEqual([
    { from: 0, to: 7 },
    { from: 8, to: 30 },
    { from: 31, to: 60 },
    { from: 61, to: undefined },
  ]);
});

test("a month that is named goes before the period; the months ahead begin after the day's own", () => {
  const period = { from: "2026-11-01", to: "2026-11-30" };
  expect(endingIn("2027-02", period)).toEqual({ from: "2027-02-01", to: "2027-02-28" });
  expect(endingIn(undefined, period)).toEqual(period);
  expect(monthsAhead("2026-11-20").at(0)).toBe("2026-12");
  expect(monthsAhead("2026-11-20").at(-1)).toBe("2027-11");
});
