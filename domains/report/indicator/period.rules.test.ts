import { expect, test } from "vitest";
import { inOrder, livedOf, monthsIn, otherPeriod, periodAt } from "./period.rules.ts";

test("a day lies in a month, a quarter and a year", () => {
  expect(periodAt("month", "2026-02-14")).toEqual({ from: "2026-02-01", to: "2026-02-28" });
  expect(periodAt("quarter", "2026-08-31")).toEqual({ from: "2026-07-01", to: "2026-09-30" });
  expect(periodAt("quarter", "2026-12-01")).toEqual({ from: "2026-10-01", to: "2026-12-31" });
  expect(periodAt("year", "2026-03-01")).toEqual({ from: "2026-01-01", to: "2026-12-31" });
  expect(monthsIn({ from: "2025-11-30", to: "2026-02-01" })).toEqual([
    "2025-11",
    "2025-12",
    "2026-01",
    "2026-02",
  ]);
});

test("months of a period end, also where the calendar does, and a long one is not in order", () => {
  expect(monthsIn({ from: "9998-12-01", to: "9999-12-31" })).toHaveLength(13);
  expect(monthsIn({ from: "2026-03-01", to: "2026-02-01" })).toEqual([]);
  expect(monthsIn({ from: "'", to: "2026-02-01" })).toEqual([]);
  expect(inOrder({ from: "2024-01-31", to: "2026-12-01" })).toBe(true);
  expect(inOrder({ from: "2023-12-31", to: "2026-12-01" })).toBe(false);
  expect(inOrder({ from: "2026-02-02", to: "2026-02-01" })).toBe(false);
  expect(inOrder({ from: "0001-01-01", to: "9999-12-31" })).toBe(false);
});

test("what has been lived of a period ends with the day, and none of a coming one has been", () => {
  expect(livedOf({ from: "2026-03-01", to: "2026-03-31" }, "2026-03-10")).toEqual({
    from: "2026-03-01",
    to: "2026-03-10",
  });
  expect(livedOf({ from: "2026-03-01", to: "2026-03-31" }, "2026-05-01")).toEqual({
    from: "2026-03-01",
    to: "2026-03-31",
  });
  expect(livedOf({ from: "2026-03-01", to: "2026-03-31" }, "2026-02-28")).toBeUndefined();
});

test("whole months are compared with as many whole months, as far as this one has come", () => {
  const march = { from: "2026-03-01", to: "2026-03-31" };
  expect(otherPeriod(march, "before", "2026-03-31")).toEqual({
    from: "2026-02-01",
    to: "2026-02-28",
    asOf: "2026-02-28",
  });
  expect(otherPeriod(march, "before", "2026-03-10")).toEqual({
    from: "2026-02-01",
    to: "2026-02-28",
    asOf: "2026-02-10",
  });
  expect(otherPeriod(march, "yearBefore", "2026-03-10")).toEqual({
    from: "2025-03-01",
    to: "2025-03-31",
    asOf: "2025-03-10",
  });
  const leap = { from: "2024-02-01", to: "2024-02-29" };
  expect(otherPeriod(leap, "yearBefore", "2024-02-29")).toEqual({
    from: "2023-02-01",
    to: "2023-02-28",
    asOf: "2023-02-28",
  });
  expect(otherPeriod({ from: "2026-03-05", to: "2026-03-14" }, "before", "2026-03-14")).toEqual({
    from: "2026-02-23",
    to: "2026-03-04",
    asOf: "2026-03-04",
  });
});

test("a period that is over and the one before it are looked back at from equally long after their ends", () => {
  const asOf = (from: string, to: string, against: "before" | "yearBefore", day: string) =>
    otherPeriod({ from, to }, against, day).asOf;
  expect(asOf("2026-03-01", "2026-03-31", "before", "2026-11-20")).toBe("2026-10-20");
  expect(asOf("2026-01-01", "2026-03-31", "before", "2026-04-20")).toBe("2026-01-20");
  expect(asOf("2026-03-01", "2026-03-31", "yearBefore", "2026-11-20")).toBe("2025-11-20");
  expect(asOf("2026-03-05", "2026-03-14", "before", "2026-03-20")).toBe("2026-03-10");
  // never before the other one's own end
  expect(asOf("2026-02-01", "2026-02-28", "before", "2026-02-28")).toBe("2026-01-31");
});
