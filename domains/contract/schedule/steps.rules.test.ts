import { expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { rentLines } from "./rent.rules.ts";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import { expandSteps, type StepRule } from "./steps.rules.ts";

const expand = (terms: SampleTerms, rule: Partial<StepRule> = {}) =>
  expandSteps(aSchedule(terms), { every: 1, unit: "year", mode: "percentCompound", value: "5", ...rule });
const shown = (terms: SampleTerms, rule?: Partial<StepRule>) =>
  expand(terms, rule).map((s) => `${s.fromDate} ${s.value} ${yuan(s.resultRent)}`);

test("rows begin one interval after the start, or on a day of their own, and stop at the end", () => {
  expect(shown({ months: 36 })).toEqual(["2027-03-01 5 3,150.00", "2028-03-01 5 3,307.50"]);
  expect(shown({ months: 12 })).toEqual([]);
  expect(
    shown({ months: 12 }, { from: "2026-08-31", every: 3, unit: "month", mode: "amount", value: "10000" }),
  ).toEqual(["2026-08-31 10000 3,100.00", "2026-11-30 10000 3,200.00", "2027-02-28 10000 3,300.00"]);
});

test("of the first rent, each row says its own percent from it", () => {
  expect(shown({ months: 48 }, { mode: "percentBase", value: "2.5" })).toEqual([
    "2027-03-01 2.5 3,075.00",
    "2028-03-01 5.0 3,150.00",
    "2029-03-01 7.5 3,225.00",
  ]);
  expect(shown({ months: 36 }, { mode: "percentBase", value: "-0.5" })).toEqual([
    "2027-03-01 -0.5 2,985.00",
    "2028-03-01 -1.0 2,970.00",
  ]);
});

test("every room steps by itself; one that joins later keeps the rent agreed for it until the next step", () => {
  const rooms = [
    { roomId: 1, monthlyRent: 100_000 },
    { roomId: 2, monthlyRent: 200_000, joinDate: "2027-06-01" },
  ];
  for (const mode of ["percentCompound", "percentBase"] as const) {
    const terms = { months: 36, rooms, cycleMonths: 12 as const };
    const steps = expand(terms, { mode, value: "10" });
    const last = mode === "percentBase" ? 120_000 : 121_000;
    expect(steps.map((s) => s.resultRent)).toEqual([310_000, last + 220_000]);
    const rents = rentLines(aSchedule({ ...terms, steps })).map((l) => [l.roomId, l.from, l.amount]);
    expect(rents).toEqual([
      [1, "2026-03-01", 1_200_000],
      [1, "2027-03-01", 1_320_000],
      [1, "2028-03-01", last * 12],
      [2, "2027-06-01", 1_800_000],
      [2, "2028-03-01", 2_640_000],
    ]);
  }
});

test("a figure corrected by hand is what is billed, and the rows after it stay as they were stored", () => {
  const [first, second] = expand({ months: 36 });
  const steps = [{ ...first!, resultRent: 314_000, source: "manual" as const }, second!];
  const yearly = rentLines(aSchedule({ months: 36, cycleMonths: 12, steps })).map((l) => yuan(l.amount / 12));
  expect(yearly).toEqual(["3,000.00", "3,140.00", "3,307.50"]);
});
