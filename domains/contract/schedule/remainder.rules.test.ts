import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { planBills, restAfter } from "./bills.rules.ts";
import { recompute } from "./sentence.rules.ts";
import { aSchedule } from "./schedule.sample.ts";
import { BASES, CYCLES } from "./terms.rules.ts";
import { trim } from "./carry.rules.ts";

const quarterly = aSchedule({ start: "2026-05-15", cycleMonths: 3, rent: 300_000 });
const shown = (bills: ReturnType<typeof planBills>["bills"]) =>
  bills.map((b) => [b.title, b.periodStart, b.periodEnd, b.dueRuleDate, b.amount]);

test("a quarter paid to its middle is charged for its rest, the quarters after it as they stand", () => {
  // the month 15 November to 14 December has 30 days: 14 of them are left
  expect(shown(restAfter(quarterly, "2026-11-30").bills)).toEqual([
    ["第3期租金", "2026-12-01", "2027-02-14", "2026-12-01", 140_000 + 600_000],
    ["第4期租金", "2027-02-15", "2027-05-14", "2027-02-08", 900_000],
  ]);
});

test("paid to the end of a period nothing is cut; due falls before it as the rule says", () => {
  const [first] = restAfter(quarterly, "2026-08-14").bills;
  expect(shown([first!])).toEqual([["第2期租金", "2026-08-15", "2026-11-14", "2026-08-08", 900_000]]);
});

test("nothing paid: every period, but no deposit; everything paid: no bill", () => {
  const plan = planBills(quarterly);
  expect(restAfter(quarterly, "2026-05-14").bills).toEqual(plan.bills.slice(1));
  expect(restAfter(quarterly, "2027-05-14")).toEqual({ bills: [], totals: plan.totals });
});

test(
  "kept and rest are the whole, whatever the basis, the cycle and the day; each line explains its rest",
  { timeout: 60_000 },
  () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...BASES.filter((b) => b !== "area")),
        fc.constantFrom(...CYCLES),
        fc.boolean(),
        fc.nat(500),
        fc.nat(500),
        fc.integer({ min: 10_000, max: 900_000 }),
        fc.nat(300),
        fc.nat(90),
        (basis, cycleMonths, calendarPeriods, begin, cut, rent, free, length) => {
          const start = addDays("2025-01-01", begin);
          const steps = [
            {
              fromDate: addDays(start, 120),
              mode: "amount" as const,
              value: "10000",
              resultRent: rent + 10_000,
              source: "manual" as const,
            },
          ];
          const fees = [true, false].map((prorate, i) => {
            return { feeId: 7 + i, name: "物业费", kind: "recurring" as const, amount: 12_345, prorate };
          });
          const rentFree = [
            { fromDate: addDays(start, free), toDate: addDays(start, free + length), feeIds: [7, 8] },
          ];
          const input = aSchedule({
            start,
            rent,
            basis,
            cycleMonths,
            calendarPeriods,
            steps,
            fees,
            rentFree,
            months: 14,
          });
          const paidTo = addDays(start, cut % daysBetween(start, input.end));
          const rest = restAfter(input, paidTo).bills;
          expect(rest.reduce((sum, b) => sum + b.amount, 0)).toBe(trim(input, paidTo).back);
          for (const line of rest.flatMap((b) => b.lines)) {
            expect(recompute(line.explain)).toBe(line.amount);
            expect(line.slices.reduce((sum, s) => sum + s.amount, 0)).toBe(line.amount);
          }
          const last = planBills(input).bills.at(-1)!;
          expect(rest.at(-1)?.title).toBe(last.title);
        },
      ),
      cases(2000),
    );
  },
);
