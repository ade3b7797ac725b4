import { addDays, addMonths, maxDay, type Day } from "../../../platform/kernel/day.ts";
import { planBills } from "./bills.rules.ts";
import type { Plan, PlannedBill } from "./line.rules.ts";
import { monthIndex, periods, takeOver } from "./months.rules.ts";
import { rentsAt } from "./steps.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

/**
 * The bills that are still to come of a contract that runs already and is paid to a day: whole periods up to that day
 * are gone, the one it cuts is charged for its rest as a successor would charge it (so kept + rest = whole), the later
 * ones stand as they are and keep their numbers. Deposit and what was due on signing were settled elsewhere. The
 * totals are those of the whole contract. Paid to the day before the start: nothing was paid but the deposit.
 * Throws where the rent changed within the cut month before the cut: a successor counts on from days at one price.
 */
export function restAfter(input: ScheduleInput, paidTo: Day): Plan {
  const whole = planBills(input);
  if (paidTo >= input.end) return { ...whole, bills: [] };
  if (paidTo < input.start) return { ...whole, bills: whole.bills.filter((b) => b.kind !== "deposit") };
  const next = addDays(paidTo, 1);
  if (changesBefore(input, next)) throw new Error(`the rent changes in the month that ${paidTo} cuts`);
  const rest: ScheduleInput = {
    ...input,
    ...takeOver(input, next),
    start: next,
    rooms: rentsAt(input, next),
  };
  const all = periods(input);
  const before = all.length - periods(rest).length;
  const cut = all.every((period) => period.from !== next);
  const bills = planBills(rest)
    .bills.filter((bill) => bill.periodNo > 0)
    .map((bill) => numbered(bill, before, cut ? next : undefined));
  return { ...whole, bills };
}

/** Whether the days of a contract month before this day cost another rent than the day itself. */
export function changesBefore(input: Pick<ScheduleInput, "anchorDate" | "steps">, day: Day): boolean {
  const from = addMonths(input.anchorDate, monthIndex(input.anchorDate, day));
  return input.steps.some((step) => from < step.fromDate && step.fromDate <= day);
}

/** The number the period has in the whole contract; due by the rule, what a cut leaves not before its own first day. */
function numbered(bill: PlannedBill, before: number, cut: Day | undefined): PlannedBill {
  const periodNo = bill.periodNo + before;
  const due = bill.dueRuleDate ?? bill.periodStart;
  return {
    ...bill,
    periodNo,
    title: bill.title.replace(/^第\d+期/, `第${periodNo}期`),
    lines: bill.lines.map((line) => ({ ...line, periodNo: line.periodNo + before })),
    dueRuleDate: bill.periodStart === cut ? maxDay(due, cut) : due,
    onSigning: false,
  };
}
