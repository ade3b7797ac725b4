import { addDays, addMonths } from "../platform/kernel/day.ts";
import { planBills } from "../domains/contract/schedule/bills.rules.ts";
import type { ScheduleInput } from "../domains/contract/schedule/terms.rules.ts";

/** A plain contract of two years, paid month by month. */
function plainContract(i: number): ScheduleInput {
  const start = addDays("2026-01-01", i % 730);
  return {
    start,
    end: addDays(addMonths(start, 24), -1),
    anchorDate: start,
    calendarPeriods: false,
    cycleMonths: 1,
    pricing: "month",
    basis: "actual",
    rentRounding: "fen",
    rooms: [{ roomId: i + 1, monthlyRent: 200_000 + (i % 400) * 1_000, joinDate: start }],
    steps: [],
    rentFree: [],
    fees: [],
    discounts: [],
    deposit: { mode: "months", months: "1" },
    due: { rule: "advance", dueDays: 7 },
    billGrouping: "period",
  };
}

export type ScheduleMeasure = {
  contracts: number;
  linesPerRound: number;
  /** Rent lines per second, with bills, due dates, slices, explanations and totals. */
  rounds: number[];
  median: number;
  worst: number;
};

/** Plans the same contracts in several rounds on one core, after one round that only warms up. */
export function measureSchedule(contracts = 2_000, rounds = 9): ScheduleMeasure {
  const inputs = Array.from({ length: contracts }, (_, i) => plainContract(i));
  const round = () => {
    let lines = 0;
    for (const input of inputs)
      for (const bill of planBills(input).bills)
        for (const line of bill.lines) if (line.kind === "rent" && line.slices.length > 0) lines++;
    return lines;
  };
  round();
  let linesPerRound = 0;
  const rates = Array.from({ length: rounds }, () => {
    const before = performance.now();
    linesPerRound = round();
    return Math.round((linesPerRound / (performance.now() - before)) * 1000);
  });
  const sorted = rates.toSorted((a, b) => a - b);
  return {
    contracts,
    linesPerRound,
    rounds: rates,
    median: sorted[Math.floor(sorted.length / 2)]!,
    worst: sorted[0]!,
  };
}

if (import.meta.main) console.log(JSON.stringify(measureSchedule(), null, 2));
