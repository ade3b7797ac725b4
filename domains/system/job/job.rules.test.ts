import { expect, test } from "vitest";
import { nextAt, scheduleOf } from "./job.rules.ts";

test("a schedule reads as a sentence", () => {
  expect(
    [
      "* * * * *",
      "*/15 * * * *",
      "7 * * * *",
      "5 0 * * *",
      "30 10-18 * * *",
      "0 1 1 * *",
      "0 3 2 1 *",
      "0 3 2 1,7 *",
      "0 9 * * 1-5",
    ].map(scheduleOf),
  ).toEqual([
    "每分钟",
    "每 15 分钟",
    "每小时第7分",
    "每天 00:05",
    "每天 10:30 至 18:30 每小时",
    "每月1日 01:00",
    "每年1月2日 03:00",
    "0 3 2 1,7 *",
    "0 9 * * 1-5",
  ]);
});

test("the next time is after now, on this day or a later one", () => {
  const now = "2026-11-20 08:30";
  expect(nextAt("30 8 * * *", now)).toBe("2026-11-21 08:30");
  expect(nextAt("31 8 * * *", now)).toBe("2026-11-20 08:31");
  expect(nextAt("*/15 * * * *", now)).toBe("2026-11-20 08:45");
  expect(nextAt("0 1 1 * *", now)).toBe("2026-12-01 01:00");
  expect(nextAt("0 0 29 2 *", now)).toBeUndefined();
  // the 21st is a Saturday
  expect(nextAt("0 9 * * 1-5", "2026-11-20 09:00")).toBe("2026-11-23 09:00");
});
