import { describe, expect, test } from "vitest";
import { parseYuan, yuan } from "../../../platform/kernel/fen.ts";
import type { Line } from "./line.rules.ts";
import { rentLines } from "./discounts.rules.ts";
import { aSchedule } from "./schedule.sample.ts";
import { areaMonthlyRent, expandSteps } from "./steps.rules.ts";
import { CYCLES, type Basis, type RentRounding } from "./terms.rules.ts";
import { trim } from "./carry.rules.ts";

// Worked examples of area pricing, escalation, and the choice of cycle.
const sum = (lines: readonly Line[]) => yuan(lines.reduce((total, l) => total + l.amount, 0));
const rows = (lines: readonly Line[]) => lines.map((l) => `${l.from} ${l.to} ${yuan(l.amount)}`);

describe("E21 86.5 m² at 4.50 a day", () => {
  const room = { unitPrice: "4.50", area: "86.5" };
  const terms = { pricing: "areaDay" as const, basis: "area" as const, room };
  test("a month, rounded as agreed", () => {
    const month = (rounding: RentRounding) => yuan(areaMonthlyRent("4.50", "86.5", rounding));
    expect([month("fen"), month("yuan")]).toEqual(["11,839.69", "11,840.00"]);
  });
  test("the first 12 days", () => {
    const lines = rentLines(aSchedule({ ...terms, start: "2026-03-20", calendarPeriods: true }));
    expect(rows(lines.slice(0, 2))).toEqual([
      "2026-03-20 2026-03-31 4,671.00",
      "2026-04-01 2026-04-30 11,839.69",
    ]);
  });
  test("leaving on day 10 of a full month", () => {
    const { kept, back } = trim(aSchedule({ ...terms, months: 1 }), "2026-03-10");
    expect([yuan(kept), yuan(back)]).toEqual(["3,892.50", "7,947.19"]);
  });
});

test.each<[RentRounding, string[], string[]]>([
  ["fen", ["3,499.65", "3,674.63", "3,858.36"], ["3,499.65", "3,666.30", "3,832.95"]],
  ["jiao", ["3,499.70", "3,674.70", "3,858.40"], ["3,499.70", "3,666.30", "3,833.00"]],
  ["yuan", ["3,500.00", "3,675.00", "3,859.00"], ["3,500.00", "3,666.00", "3,833.00"]],
])("E23 escalation of 3,333.00 rounded to %s", (rentRounding, compound, base) => {
  const input = aSchedule({ months: 48, rent: 333_300, rentRounding });
  const rents = (mode: "percentCompound" | "percentBase") =>
    expandSteps(input, { every: 1, unit: "year", mode, value: "5" }).map((s) => yuan(s.resultRent));
  expect(rents("percentCompound")).toEqual(compound);
  expect(rents("percentBase")).toEqual(base);
});

test("E23 half-yearly bills over three years", () => {
  const plain = aSchedule({ months: 36, rent: 350_000, cycleMonths: 6 });
  const steps = expandSteps(plain, { every: 12, unit: "month", mode: "percentCompound", value: "5" });
  const lines = rentLines({ ...plain, steps });
  const sums = ["21,000.00", "21,000.00", "22,050.00", "22,050.00", "23,152.50", "23,152.50"];
  expect(lines.map((l) => yuan(l.amount))).toEqual(sums);
  expect(sum(lines)).toBe("132,405.00");
});

test.each<[Basis, string]>([
  ["actual", "43,758.37"],
  ["30", "43,883.31"],
  ["365", "43,884.89"],
])("E24 the cycle does not matter on basis %s", (basis, total) => {
  const input = aSchedule({
    start: "2026-01-31",
    end: "2027-03-09",
    rent: parseYuan("3333.33"),
    basis,
    rentFree: [{ fromDate: "2026-02-10", toDate: "2026-02-20" }],
    steps: [
      { fromDate: "2026-11-11", mode: "table", value: "350000", resultRent: 350_000, source: "manual" },
    ],
  });
  expect(CYCLES.map((cycleMonths) => sum(rentLines({ ...input, cycleMonths })))).toEqual(
    Array(6).fill(total),
  );
});
