import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { type Day, addDays, addMonths, lengthOf } from "../../../platform/kernel/day.ts";
import {
  type Ratio,
  decimal,
  halfUp,
  minus,
  over,
  plus,
  ratio,
  times,
  yuan,
} from "../../../platform/kernel/fen.ts";
import { anySchedule } from "./any-schedule.sample.ts";
import { planBills } from "./bills.rules.ts";
import { rentLines } from "./discounts.rules.ts";
import type { Line } from "./line.rules.ts";
import { contractMonths, endAfter } from "./months.rules.ts";
import { type SampleTerms, aSchedule } from "./schedule.sample.ts";
import { dueOn } from "./slot.rules.ts";
import { firstRent } from "./steps.rules.ts";
import type { Basis, ScheduleInput } from "./terms.rules.ts";

// The worked examples of the schedule's design, to the fen and the day. Sums in yuan as people write them.
const sum = (lines: readonly Line[]) => yuan(lines.reduce((total, l) => total + l.amount, 0));
const rows = (lines: readonly Line[]) => lines.map((l) => `${l.from} ${l.to} ${yuan(l.amount)}`);
const bills = (terms: SampleTerms) =>
  planBills(aSchedule(terms)).bills.map(
    (b) =>
      `${b.kind} ${b.periodStart} ${b.periodEnd} ${b.onSigning ? "签约" : b.dueRuleDate} ${yuan(b.amount)}`,
  );
const year = { start: "2026-03-15", rent: 350_000, cycleMonths: 3 as const };

test("E1 a start on the 31st clamps to each month's end and comes back", () => {
  const months = contractMonths(aSchedule({ start: "2026-01-31" }));
  // no day comes after the calendar's last one
  const last = contractMonths(aSchedule({ start: "9998-12-31", end: "9999-12-31" }));
  expect(last.map((m) => m.from).at(-1)).toBe("9999-12-31");
  expect(months.map((m) => `${m.from} ${m.to} ${m.days}`)).toEqual([
    "2026-01-31 2026-02-27 28",
    "2026-02-28 2026-03-30 31",
    "2026-03-31 2026-04-29 30",
    "2026-04-30 2026-05-30 31",
    "2026-05-31 2026-06-29 30",
    "2026-06-30 2026-07-30 31",
    "2026-07-31 2026-08-30 31",
    "2026-08-31 2026-09-29 30",
    "2026-09-30 2026-10-30 31",
    "2026-10-31 2026-11-29 30",
    "2026-11-30 2026-12-30 31",
    "2026-12-31 2027-01-30 31",
  ]);
  const lines = rentLines(aSchedule({ start: "2026-01-31" }));
  expect(lines.every((l) => l.amount === 300_000)).toBe(true);
  expect(sum(lines)).toBe("36,000.00");
});

test("E2 leap years", () => {
  const first = contractMonths(aSchedule({ start: "2028-01-31" })).slice(0, 3);
  expect(first.map((m) => `${m.from} ${m.to} ${m.days}`)).toEqual([
    "2028-01-31 2028-02-28 29",
    "2028-02-29 2028-03-30 31",
    "2028-03-31 2028-04-29 30",
  ]);
  const leap = aSchedule({ start: "2028-02-29" });
  expect(leap.end).toBe("2029-02-27");
  expect(contractMonths(leap).at(-1)).toMatchObject({ from: "2029-01-29", to: "2029-02-27", days: 30 });
  expect(sum(rentLines(leap))).toBe("36,000.00");
  expect([24, 48].map((n) => endAfter("2028-02-29", n))).toEqual(["2030-02-27", "2032-02-28"]);
  const renewal = contractMonths(aSchedule({ start: "2029-02-28" }));
  expect(renewal.map((m) => m.from.slice(8))).toEqual(Array(12).fill("28"));
});

test("E3 押一付三", () => {
  expect(bills(year)).toEqual([
    "deposit 2026-03-15 2027-03-14 签约 3,500.00",
    "rent 2026-03-15 2026-06-14 签约 10,500.00",
    "rent 2026-06-15 2026-09-14 2026-06-08 10,500.00",
    "rent 2026-09-15 2026-12-14 2026-09-08 10,500.00",
    "rent 2026-12-15 2027-03-14 2026-12-08 10,500.00",
  ]);
  const plan = planBills(aSchedule(year));
  expect(plan.bills[1]!.dueRuleDate).toBe("2026-03-08");
  expect(plan.bills.map((b) => dueOn(b, "2026-03-12"))).toEqual([
    "2026-03-12",
    "2026-03-12",
    "2026-06-08",
    "2026-09-08",
    "2026-12-08",
  ]);
  expect(yuan(plan.totals.atSigning)).toBe("14,000.00");
  expect(yuan(plan.totals.rent)).toBe("42,000.00");
  const fees = [
    { feeId: 2, kind: "recurring" as const, amount: 10_000 },
    { feeId: 3, kind: "once" as const, amount: 20_000 },
  ];
  const withFees = planBills(aSchedule({ ...year, fees }));
  expect(withFees.bills).toHaveLength(5);
  expect(yuan(withFees.totals.atSigning)).toBe("14,500.00");
});

test.each([
  ["2026-01-31", ["04-29", "07-30", "10-30", "01-30"], ["04-25", "07-26", "10-26"], [89, 92, 92, 92]],
  ["2027-11-30", ["02-28", "05-29", "08-29", "11-29"], ["02-24", "05-25", "08-25"], [91, 91, 92, 92]],
])("E4 month-end starts from %s", (start, ends, dues, days) => {
  const input = aSchedule({ start, rent: 280_000, cycleMonths: 3, due: { rule: "advance", dueDays: 5 } });
  const rent = planBills(input).bills.filter((b) => b.kind === "rent");
  expect(rent.map((b) => b.periodEnd.slice(5))).toEqual(ends);
  expect(rent.slice(1).map((b) => b.dueRuleDate!.slice(5))).toEqual(dues);
  expect(rent.map((b) => (Date.parse(b.periodEnd) - Date.parse(b.periodStart)) / 864e5 + 1)).toEqual(days);
  expect(rent.map((b) => yuan(b.amount))).toEqual(Array(4).fill("8,400.00"));
});

test("E5 a rent-free first month stays visible", () => {
  const plan = planBills(
    aSchedule({ ...year, rentFree: [{ fromDate: "2026-03-15", toDate: "2026-04-14" }] }),
  );
  expect(rows(plan.bills[1]!.lines)).toEqual([
    "2026-03-15 2026-04-14 0.00",
    "2026-04-15 2026-06-14 7,000.00",
  ]);
  expect(plan.bills.slice(2).map((b) => yuan(b.amount))).toEqual(Array(3).fill("10,500.00"));
  const { rent, deposit, atSigning, forgone } = plan.totals;
  expect([rent, deposit, atSigning, forgone].map((f) => yuan(f))).toEqual([
    "38,500.00",
    "3,500.00",
    "10,500.00",
    "3,500.00",
  ]);
});

test.each<[Basis, string]>([
  ["actual", "2,032.26"],
  ["30", "2,000.00"],
  ["365", "2,013.70"],
])("E6 ten free days on basis %s: the later side takes the rest", (basis, charged) => {
  const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-10" }];
  expect(rows(rentLines(aSchedule({ basis, rentFree }))).slice(0, 2)).toEqual([
    "2026-03-01 2026-03-10 0.00",
    `2026-03-11 2026-03-31 ${charged}`,
  ]);
});

const stepTo = (fromDate: string, resultRent: number) => [
  { fromDate, mode: "percentCompound" as const, value: "5", resultRent, source: "rule" as const },
];

test.each<[Basis, string[], string]>([
  ["actual", ["7,645.16", "1,354.84", "8,027.42", "1,422.58"], "73,800.00"],
  ["30", ["7,700.00", "1,400.00", "7,980.00", "1,470.00"], "73,900.00"],
  ["365", ["7,676.71", "1,380.82", "8,000.14", "1,449.86"], "73,857.53"],
])("E7 a step inside a period on basis %s", (basis, [first, before, after, last], total) => {
  const start = "2026-01-15";
  const steps = stepTo("2027-01-15", 315_000);
  const terms = { start, months: 24, calendarPeriods: true, cycleMonths: 3 as const, basis, steps };
  const lines = rentLines(aSchedule(terms));
  const quarters = (sumEach: string) => Array<string | undefined>(3).fill(sumEach);
  expect(lines.map((l) => yuan(l.amount))).toEqual([
    first,
    ...quarters("9,000.00"),
    before,
    after,
    ...quarters("9,450.00"),
    last,
  ]);
  expect(lines[4]).toMatchObject({ from: "2027-01-01", to: "2027-01-14" });
  expect(lines[5]).toMatchObject({ from: "2027-01-15", to: "2027-03-31" });
  expect(sum(lines)).toBe(total);
});

test.each<[Basis, string, string]>([
  ["actual", "12,419.35", "9,009.68"],
  ["30", "12,483.33", "8,942.50"],
  ["365", "12,456.16", "8,971.03"],
])("E7 half-yearly with a step in mid-month on basis %s", (basis, before, after) => {
  const terms = { ...year, cycleMonths: 6 as const, basis, steps: stepTo("2027-01-01", 367_500) };
  const second = planBills(aSchedule(terms)).bills[2]!;
  expect(second.lines.map((l) => yuan(l.amount))).toEqual([before, after]);
});

test.each<[Basis, string, string, string]>([
  ["actual", "1,451.61", "1,548.39", "36,000.00"],
  ["30", "1,500.00", "1,600.00", "36,100.00"],
  ["365", "1,479.45", "1,578.08", "36,057.53"],
])("E13 calendar months with a stub on basis %s", (basis, first, last, total) => {
  const lines = rentLines(aSchedule({ start: "2026-01-17", calendarPeriods: true, basis }));
  expect(lines).toHaveLength(13);
  expect(rows([lines[0]!, lines[12]!])).toEqual([
    `2026-01-17 2026-01-31 ${first}`,
    `2027-01-01 2027-01-16 ${last}`,
  ]);
  expect(sum(lines)).toBe(total);
});

test("E16 offers stand under the rent and never make a month negative", () => {
  const discounts = [
    { kind: "amount" as const, value: "20000", order: 1 },
    { kind: "percent" as const, value: "5", fromMonth: 1, toMonth: 6, order: 1 },
    { kind: "firstMonths" as const, value: "1", order: 1 },
  ];
  const plan = planBills(aSchedule({ cycleMonths: 3, discounts }));
  expect(plan.bills.slice(1).map((b) => yuan(b.amount))).toEqual([
    "5,500.00",
    "8,550.00",
    "9,000.00",
    "9,000.00",
  ]);
  expect(rows(plan.bills[1]!.lines)).toEqual([
    "2026-03-01 2026-05-31 9,000.00",
    "2026-03-01 2026-03-31 -3,000.00",
    "2026-04-01 2026-05-31 -300.00",
    "2026-04-01 2026-04-30 -200.00",
  ]);
  expect(yuan(plan.totals.contractTotal)).toBe("32,050.00");
  expect(yuan(plan.totals.netMonthlyRent!)).toBe("2,670.83");
});

const ZERO = ratio(0);
const cap = (r: Ratio) => (r.n > r.d ? ratio(1) : r);

/** W(n) straight from its definition. */
function weightOf(input: ScheduleInput, n: number, monthDays: number): Ratio {
  if (n === monthDays) return ratio(1);
  if (input.basis === "actual") return ratio(n, monthDays);
  if (input.basis === "30") return cap(ratio(n, 30));
  if (input.basis === "365") return ratio(12 * n, 365);
  const room = input.rooms[0]!;
  const perDay = times(times(decimal(room.unitPrice!), decimal(room.area!)), ratio(100));
  return cap(over(times(ratio(n), perDay), ratio(firstRent(input, room))));
}

/** Walks through the term day by day with exact fractions; answers what is charged up to the end of each day. */
function reckon(input: ScheduleInput): Map<Day, number> {
  const upTo = new Map<Day, number>();
  const steps = input.steps.toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1));
  let whole = 0;
  for (let m = 0; ; m++) {
    const from = addMonths(input.anchorDate, m);
    if (from > input.end) return upTo;
    const to = addDays(addMonths(input.anchorDate, m + 1), -1);
    const monthDays = lengthOf({ from, to });
    let exact = ZERO;
    let counted = 0;
    for (let day = from; day <= to && day <= input.end; day = addDays(day, 1)) {
      if (day < input.start) continue;
      counted++;
      const step = steps.findLast((s) => s.fromDate <= day);
      const price = step ? step.resultRent : firstRent(input, input.rooms[0]!);
      const share = minus(weightOf(input, counted, monthDays), weightOf(input, counted - 1, monthDays));
      const free = input.rentFree.some((f) => f.fromDate <= day && day <= f.toDate);
      if (!free) exact = reduced(plus(exact, times(ratio(price), share)));
      upTo.set(day, whole + halfUp(exact));
    }
    whole += halfUp(exact);
  }
}

function reduced({ n, d }: Ratio): Ratio {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return a > 1n ? { n: n / a, d: d / a } : { n, d };
}

test("rent agrees with a reckoning day by day in exact fractions", { timeout: 60_000 }, () => {
  const oneRoom = anySchedule.map((input): ScheduleInput => {
    const rooms = [{ ...input.rooms[0]!, joinDate: input.start, leaveDate: null }];
    return { ...input, rooms, steps: input.steps.map((s) => ({ ...s, roomId: null })) };
  });
  const agree = (input: ScheduleInput) => {
    const upTo = reckon(input);
    for (const { slices } of rentLines(input))
      for (const { from, to, amount } of slices) {
        const expected = upTo.get(to)! - (upTo.get(addDays(from, -1)) ?? 0);
        if (amount !== expected) expect.fail(`${from} – ${to}: ${amount}, by days ${expected}`);
      }
  };
  fc.assert(fc.property(oneRoom, agree), cases(1_000));
});
