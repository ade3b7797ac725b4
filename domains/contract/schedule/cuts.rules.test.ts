import { describe, expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { planBills } from "./bills.rules.ts";
import { cutAt, lastChargedDay, takeOver, trim } from "./carry.rules.ts";
import { rentLines } from "./discounts.rules.ts";
import { aSchedule, type SampleTerms } from "./schedule.sample.ts";
import type { Basis } from "./terms.rules.ts";

// Leaving early, changing rooms and tenants, amending: the schedule's side of the worked examples.
const BASES: Basis[] = ["actual", "30", "365"];
const quarterly: SampleTerms = { start: "2026-03-15", rent: 350_000, cycleMonths: 3 };
const fees = [{ feeId: 2, kind: "recurring" as const, amount: 10_000 }];

/** What is kept and given back of the lines that begin on some days. */
function split(terms: SampleTerms, lastDay: string, ...starts: string[]) {
  const rows = trim(aSchedule(terms), lastDay).rows.filter((r) => starts.includes(r.line.from));
  return rows.map((r) => `${yuan(r.kept)} + ${yuan(r.back)}`);
}

test.each<[Basis, string, string]>([
  ["actual", "5,983.87 + 4,516.13", "170.97 + 129.03"],
  ["30", "6,066.67 + 4,433.33", "173.33 + 126.67"],
  ["365", "6,031.51 + 4,468.49", "172.33 + 127.67"],
])("E8 leaving on 5 August in a paid quarter, basis %s", (basis, rent, fee) => {
  expect(split({ ...quarterly, fees, basis }, "2026-08-05", "2026-06-15")).toEqual([rent, fee]);
});

test("E8 all later bills go, the earlier stay", () => {
  const { rows } = trim(aSchedule({ ...quarterly, fees }), "2026-08-05");
  const kept = rows.filter((r) => r.line.kind === "rent").map((r) => yuan(r.kept));
  expect(kept).toEqual(["10,500.00", "5,983.87", "0.00", "0.00"]);
});

test("E9 the same paid monthly: the bill is cut, not credited", () => {
  const terms = { ...quarterly, cycleMonths: 1 as const, fees };
  const { rows } = trim(aSchedule(terms), "2026-08-05");
  const month = rows.filter((r) => r.line.from === "2026-07-15");
  expect(month.map((r) => yuan(r.kept))).toEqual(["2,483.87", "70.97"]);
  expect(yuan(month.reduce((sum, r) => sum + r.back, 0))).toBe("1,045.16");
});

test.each<[Basis, string[]]>([
  ["actual", ["7,451.61", "1,548.39", "1,858.06"]],
  ["30", ["7,500.00", "1,500.00", "1,800.00"]],
  ["365", ["7,479.45", "1,520.55", "1,824.66"]],
])("E10 change of room on 16 May, basis %s", (basis, [kept, carried, fresh]) => {
  const terms = { cycleMonths: 3 as const, basis };
  const old = aSchedule(terms);
  const first = trim(old, "2026-05-15").rows[0]!;
  expect([yuan(first.kept), yuan(first.back)]).toEqual([kept, carried]);
  const over = takeOver(old, "2026-05-16");
  expect(over).toEqual({ anchorDate: "2026-03-01", carriedDays: 15 });
  const next = { ...terms, ...over, start: "2026-05-16", end: old.end };
  const lines = rentLines(aSchedule({ ...next, rent: 360_000 }));
  expect(lines[0]).toMatchObject({ from: "2026-05-16", to: "2026-05-31" });
  expect(yuan(lines[0]!.amount)).toBe(fresh);
  expect(lines[1]).toMatchObject({ from: "2026-06-01", to: "2026-08-31", amount: 1_080_000 });
  expect(planBills(aSchedule({ ...next, rent: 360_000 })).totals.netMonthlyRent).toBe(360_000);
  const equal = rentLines(aSchedule({ ...next, rent: 300_000 }));
  const whole = trim(old, "2026-05-15").kept + equal.reduce((sum, l) => sum + l.amount, 0);
  expect(yuan(whole)).toBe("36,000.00");
});

describe("E11 early leaving on three bases", () => {
  test.each<[string, SampleTerms, string, [string, string, string]]>([
    [
      "February, the 20th",
      { start: "2026-02-01" },
      "2026-02-20",
      ["2,142.86 + 857.14", "2,000.00 + 1,000.00", "1,972.60 + 1,027.40"],
    ],
    [
      "a paid quarter",
      { start: "2026-02-01", cycleMonths: 3 },
      "2026-03-20",
      ["4,935.48 + 4,064.52", "5,000.00 + 4,000.00", "4,972.60 + 4,027.40"],
    ],
    [
      "day 30 of 31",
      { start: "2026-03-01" },
      "2026-03-30",
      ["2,903.23 + 96.77", "3,000.00 + 0.00", "2,958.90 + 41.10"],
    ],
    [
      "a 29-day month",
      { start: "2028-01-31" },
      "2028-02-14",
      ["1,551.72 + 1,448.28", "1,500.00 + 1,500.00", "1,479.45 + 1,520.55"],
    ],
    [
      "its last day",
      { start: "2028-01-31" },
      "2028-02-28",
      ["3,000.00 + 0.00", "3,000.00 + 0.00", "3,000.00 + 0.00"],
    ],
    [
      "two months paid",
      { start: "2028-01-31", cycleMonths: 2 },
      "2028-03-10",
      ["4,064.52 + 1,935.48", "4,100.00 + 1,900.00", "4,084.93 + 1,915.07"],
    ],
  ])("%s", (_, terms, lastDay, expected) => {
    const results = BASES.map((basis) => split({ ...terms, basis }, lastDay, terms.start!)[0]);
    expect(results).toEqual(expected);
  });
});

test("E12 the renewal of E3", () => {
  const renewal = planBills(aSchedule({ start: "2027-03-15", rent: 367_500, cycleMonths: 3 }));
  expect(yuan(renewal.totals.deposit)).toBe("3,675.00");
  expect(yuan(renewal.totals.firstRent)).toBe("11,025.00");
  expect(yuan(renewal.totals.rent)).toBe("44,100.00");
  expect(renewal.bills.at(-1)).toMatchObject({ periodStart: "2027-12-15", periodEnd: "2028-03-14" });
});

test.each<[Basis, string, string]>([
  ["actual", "2,787.10", "412.90"],
  ["30", "2,880.00", "320.00"],
  ["365", "2,840.55", "359.45"],
])("E14 change of tenant in a paid month, basis %s", (basis, a, b) => {
  const old = aSchedule({ start: "2026-05-15", rent: 320_000, basis });
  const lines = rentLines(
    aSchedule({ ...takeOver(old, "2026-06-11"), start: "2026-06-11", end: old.end, rent: 320_000, basis }),
  );
  expect([yuan(trim(old, "2026-06-10").rows[0]!.kept), yuan(lines[0]!.amount)]).toEqual([a, b]);
});

test.each<[Basis, string[], string]>([
  ["actual", ["5,419.35", "4,790.33"], "10,209.68"],
  ["30", ["5,483.33", "4,730.00"], "10,213.33"],
  ["365", ["5,456.16", "4,755.62"], "10,211.78"],
])("E15 a new rent from 1 August, basis %s", (basis, lines, total) => {
  const steps = [
    {
      fromDate: "2026-08-01",
      mode: "table" as const,
      value: "330000",
      resultRent: 330_000,
      source: "manual" as const,
    },
  ];
  const quarter = planBills(aSchedule({ ...quarterly, basis, steps })).bills[2]!;
  expect(quarter.lines.map((l) => yuan(l.amount))).toEqual(lines);
  expect(yuan(quarter.amount)).toBe(total);
  if (basis === "actual")
    expect(quarter.lines.flatMap((l) => l.slices.map((s) => yuan(s.amount)))).toEqual([
      "3,500.00",
      "1,919.35",
      "1,490.33",
      "3,300.00",
    ]);
});

test.each<[Basis, string, string, string]>([
  ["actual", "3,060.00", "3,000.00", "2,400.00"],
  ["30", "3,060.00", "3,000.00", "2,400.00"],
  ["365", "3,042.74", "2,983.56", "2,416.44"],
])("E17 rooms of a company join and leave, basis %s", (basis, joined, kept, back) => {
  const rooms = [1, 2, 3].map((roomId) => ({ roomId, monthlyRent: 180_000 }));
  const two = { cycleMonths: 3 as const, basis, rooms: rooms.slice(0, 2) };
  expect(yuan(planBills(aSchedule(two)).bills[1]!.amount)).toBe("10,800.00");
  const three = { ...two, rooms: [...two.rooms, { ...rooms[2]!, joinDate: "2026-04-10" }] };
  const first = planBills(aSchedule(three)).bills[1]!;
  expect(yuan(first.lines[2]!.amount)).toBe(joined);
  const left = trim(aSchedule(three), "2026-04-20", [2]);
  const row = left.rows.find((r) => r.line.roomId === 2)!;
  expect([yuan(row.kept), yuan(row.back)]).toEqual([kept, back]);
  expect(left.rows.every((r) => r.line.roomId === 2 || r.back === 0)).toBe(true);
  const next = trim(aSchedule(two), "2026-04-20", [2]).plan.bills[2]!;
  expect(yuan(next.amount)).toBe("5,400.00");
});

test("a tenant who never moved in gets all of it back", () => {
  const { kept, back, plan } = trim(aSchedule(quarterly), "2026-03-14");
  expect([kept, yuan(back)]).toEqual([0, "42,000.00"]);
  expect(plan.bills.map((b) => b.kind)).toEqual(["deposit"]);
});

test("a contract taken over twice in one month still weighs one month", () => {
  for (const basis of BASES) {
    const a = aSchedule({ rent: 333_333, basis });
    const b = aSchedule({
      ...takeOver(a, "2026-03-09"),
      start: "2026-03-09",
      end: a.end,
      rent: 333_333,
      basis,
    });
    const overB = takeOver(b, "2026-03-21");
    expect(overB.carriedDays).toBe(20);
    const c = aSchedule({ ...overB, start: "2026-03-21", end: a.end, rent: 333_333, basis });
    const parts = [cutAt(a, "2026-03-08"), cutAt(b, "2026-03-20"), cutAt(c, "2026-03-31")];
    const sum = parts.flatMap(rentLines).reduce((total, l) => total + l.amount, 0);
    expect(sum).toBe(333_333);
  }
});

test("whether the day of leaving is charged", () => {
  expect([lastChargedDay("2026-08-05", true), lastChargedDay("2026-08-05", false)]).toEqual([
    "2026-08-05",
    "2026-08-04",
  ]);
});
