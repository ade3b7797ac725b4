import { expect, test } from "vitest";
import { addDays, addMonths, dayNumber } from "../../../platform/kernel/day.ts";
import { monthStarts } from "./calendar.rules.ts";

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
