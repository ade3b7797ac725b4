import { addDays, maxDay, type Day } from "../../../platform/kernel/day.ts";
import { planBills } from "./bills.rules.ts";
import type { Plan, PlannedBill } from "./line.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

/**
 * The bills that are still to come of a contract that runs already and is paid to a day: the whole plan with its lines
 * ended on that day, less what stands before it. So kept + rest = whole, whatever rent changes or free days the cut
 * month holds, and a period begun is charged for its rest under its own number. Deposit and what was due on signing
 * were settled elsewhere. The totals are those of the whole contract. Paid to the day before the start: nothing was
 * paid but the deposit. Throws on discounts: their share of a cut month is not worked out by days.
 */
export function restAfter(input: ScheduleInput, paidTo: Day): Plan {
  if (input.discounts.length) throw new Error("the rest of a contract with discounts is not known");
  const next = addDays(paidTo, 1);
  const { bills, totals } = planBills({ ...input, splitAt: next });
  const open = bills.filter((bill) => bill.kind !== "deposit");
  return { bills: open.flatMap((bill) => leftOf(bill, next)), totals };
}

/** What of a bill stands on this day or later. What a cut leaves is due by the rule, but not before its own first day. */
function leftOf(bill: PlannedBill, from: Day): PlannedBill[] {
  if (bill.periodStart >= from) return [bill];
  const lines = bill.lines.filter((line) => line.from >= from);
  if (lines.length === 0) return [];
  return [
    {
      ...bill,
      lines,
      amount: lines.reduce((sum, line) => sum + line.amount, 0),
      periodStart: from,
      dueRuleDate: maxDay(bill.dueRuleDate ?? from, from),
      onSigning: false,
    },
  ];
}
