import { expect, test } from "vitest";
import { addDays, addMonths, dayNumber } from "../../../platform/kernel/day.ts";
import { contractMonths, monthStarts } from "./months.rules.ts";

test.each(["2026-01-31", "2023-11-30", "2028-02-29", "2099-12-15", "1999-01-01"])(
  "the month starts from %s are those of the kernel's calendar",
  (anchor) => {
    const next = monthStarts(anchor, -14);
    for (let m = -14; m < 300; m++) {
      const day = addMonths(anchor, m);
      expect(next()).toEqual({ number: dayNumber(day), day, dayBefore: addDays(day, -1) });
    }
  },
);

test("a month ends on the day before the next, also where that is the first, or the term's last day", () => {
  const months = (start: string, end: string) =>
    contractMonths({ start, end, anchorDate: start }).map(({ from, to, days }) => `${from} ~ ${to} ${days}`);
  expect(months("2026-03-02", "2026-05-01")).toEqual([
    "2026-03-02 ~ 2026-04-01 31",
    "2026-04-02 ~ 2026-05-01 30",
  ]);
  expect(months("2026-03-01", "2026-04-01")).toEqual([
    "2026-03-01 ~ 2026-03-31 31",
    "2026-04-01 ~ 2026-04-01 1",
  ]);
});
