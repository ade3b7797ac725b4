import { describe, expect, test } from "vitest";
import { parseYuan, yuan } from "../../../platform/kernel/fen.ts";
import { trim } from "./carry.rules.ts";
import { rentLines } from "./discounts.rules.ts";
import type { Line } from "./line.rules.ts";
import { type SampleTerms, aSchedule } from "./schedule.sample.ts";
import { type StepRule, areaMonthlyRent, expandSteps, rentsOver } from "./steps.rules.ts";
import { type Basis, CYCLES, type RentRounding } from "./terms.rules.ts";

const expand = (terms: SampleTerms, rule: Partial<StepRule> = {}) =>
  expandSteps(aSchedule(terms), { every: 1, unit: "year", mode: "percentCompound", value: "5", ...rule });
const shown = (terms: SampleTerms, rule?: Partial<StepRule>) =>
  expand(terms, rule).map((s) => `${s.fromDate} ${s.value} ${yuan(s.resultRent)}`);

test("rows begin one interval after the start, or on a day of their own, and stop at the end", () => {
  expect(shown({ months: 36 })).toEqual(["2027-03-01 5 3,150.00", "2028-03-01 5 3,307.50"]);
  expect(shown({ months: 12 })).toEqual([]);
  // the longest term there is
  expect(expand({ months: 240 }, { from: "2026-03-02", every: 1, unit: "month" })).toHaveLength(240);
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

test("percents of any length stay exact", () => {
  const values = (value: string) =>
    expand({ months: 36 }, { mode: "percentBase", value }).map((s) => s.value);
  expect(values("12.5")).toEqual(["12.5", "25.0"]);
  expect(values("-0.25")).toEqual(["-0.25", "-0.50"]);
});

test("steps hold in the order of their days, however they were typed", () => {
  const row = (fromDate: string, resultRent: number) =>
    ({ fromDate, mode: "table", value: String(resultRent), resultRent, source: "manual" }) as const;
  const steps = [row("2026-09-01", 320_000), row("2026-06-01", 310_000), row("2026-12-01", 330_000)];
  expect(rentsOver(aSchedule({ steps })).map((r) => [r.fromDate, r.rent])).toEqual([
    ["2026-03-01", 300_000],
    ["2026-06-01", 310_000],
    ["2026-09-01", 320_000],
    ["2026-12-01", 330_000],
  ]);
});

test("a room that joins after steps of the first rent goes on by what the later ones add", () => {
  const row = (fromDate: string, value: string) =>
    ({ fromDate, mode: "percentBase", value, resultRent: 0, source: "manual" }) as const;
  const rooms = [
    { roomId: 1, monthlyRent: 100_000 },
    { roomId: 2, monthlyRent: 200_000, joinDate: "2026-09-01" },
  ];
  const steps = [row("2026-06-01", "10.5"), row("2026-09-01", "20.5"), row("2026-12-01", "30.75")];
  // 2,000.00 was agreed at 20.5 %: 10.25 % more
  expect(rentsOver(aSchedule({ rooms, steps })).map((r) => r.rooms)).toEqual([
    [100_000, 200_000],
    [110_500, 200_000],
    [120_500, 200_000],
    [130_750, 220_500],
  ]);
});

test("a rule of one room names it; what is still being typed makes no rows", () => {
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: roomId * 100_000 }));
  expect(expand({ months: 24, rooms }, { roomId: 2 })[0]).toMatchObject({ roomId: 2, resultRent: 210_000 });
  expect(expand({ months: 24, rooms })[0]).not.toHaveProperty("roomId");
  const typing = [rooms[0]!, { roomId: 2, monthlyRent: undefined as unknown as number }];
  expect(expand({ months: 24, rooms: typing })).toEqual([]);
  const byArea = (unitPrice: string, area: string | null, rent = 0) =>
    expand({ months: 24, pricing: "areaDay", rent, room: { unitPrice, area } }).length;
  expect([byArea("4.5", "40"), byArea("4.", "40"), byArea("4.5", "4x")]).toEqual([1, 0, 0]);
  expect([byArea("4.", null, 300_000), byArea("4.", null, Number.NaN)]).toEqual([1, 0]);
  expect(expand({ months: 24, room: { unitPrice: "x", area: "y" } })).toHaveLength(1);
});

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
