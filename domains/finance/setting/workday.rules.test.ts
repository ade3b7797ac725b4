import { expect, test } from "vitest";
import { isWorkday, workdayAfter } from "./workday.rules.ts";

// National Day 2026: off from Thursday 1 October to Wednesday 7 October, Saturday 10 October worked in exchange
const special = new Map([
  ...["01", "02", "05", "06", "07"].map((d) => [`2026-10-${d}`, "off"] as const),
  ["2026-10-10", "work"] as const,
]);

test("weekends are off by rule; days off and swapped days as they are written down", () => {
  const days = ["2026-09-30", "2026-10-01", "2026-10-03", "2026-10-08", "2026-10-10", "2026-10-11"];
  expect(days.map((day) => isWorkday(day, special))).toEqual([true, false, false, true, true, false]);
});

test("workdays after a day are counted across weekends and days off", () => {
  expect(workdayAfter("2026-03-27", 1, new Map())).toBe("2026-03-30");
  expect(workdayAfter("2026-09-30", 1, special)).toBe("2026-10-08");
  expect(workdayAfter("2026-10-09", 1, special)).toBe("2026-10-10");
  expect(workdayAfter("2026-10-09", 2, special)).toBe("2026-10-12");
  // on the same day, where that is one
  expect(workdayAfter("2026-03-27", 0, new Map())).toBe("2026-03-27");
  expect(workdayAfter("2026-03-28", 0, new Map())).toBe("2026-03-30");
});
