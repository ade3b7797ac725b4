import { expect, test } from "vitest";
import { agoText, badgeOf, isQuiet } from "./message.rules.ts";

test("the badge counts to 99 and then says 99+", () => {
  expect([1, 99, 100, 120].map(badgeOf)).toEqual(["1", "99", "99+", "99+"]);
});

test("how long ago a message was told, in words of the business's clocks", () => {
  const now = "2026-11-20T02:00:40Z";
  const ago = (at: string) => agoText(at, now);
  expect(ago("2026-11-20T02:00:30Z")).toBe("刚刚");
  expect(ago("2026-11-20T01:59:50Z"), "fifty seconds over the edge of a minute").toBe("刚刚");
  expect(ago("2026-11-20T01:55:00Z")).toBe("5 分钟前");
  expect(ago("2026-11-20T00:12:00Z")).toBe("08:12");
  expect(ago("2026-11-19T15:30:00Z"), "23:30 of the day before").toBe("昨天 23:30");
  expect(ago("2026-11-17T03:00:00Z")).toBe("2026-11-17");
});

test("quiet hours may go over midnight and end at their end", () => {
  const night = (clock: string) => isQuiet(clock, "22:00", "08:00");
  expect(["21:59", "22:00", "03:00", "07:59", "08:00"].map(night)).toEqual([false, true, true, true, false]);
  expect(["11:59", "12:30", "14:00"].map((c) => isQuiet(c, "12:00", "14:00"))).toEqual([false, true, false]);
  expect(isQuiet("03:00", null, null)).toBe(false);
});
