import { addDays, addMonths, daysInMonth, firstOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import type { DueRule } from "./terms.rules.ts";

/** The date the rule gives for a period; null when the rule is "on signing". */
export function ruleDate(due: DueRule, periodStart: Day): Day | null {
  if (due.rule === "signing") return null;
  if (due.rule === "advance") return addDays(periodStart, -(due.dueDays ?? 0));
  const month = monthOf(addMonths(firstOf(monthOf(periodStart)), due.dueMonthOffset ?? 0));
  const [year, number] = month.split("-").map(Number);
  const last = daysInMonth(year!, number!);
  return `${month}-${String(Math.min(due.dueDay ?? 1, last)).padStart(2, "0")}`;
}

export type Due = { rule: Day | null; onSigning: boolean };

/** The first period is due on signing. Others whose rule date has passed by then are as well, see `dueOn`. */
export function dueDate(due: DueRule, periodStart: Day, first: boolean): Due {
  const rule = ruleDate(due, periodStart);
  return { rule, onSigning: first || rule === null };
}

type Entry = { dueRuleDate: Day | null; onSigning: boolean };

/** The due date of a planned bill once the day of signing is known. */
export const dueOn = (bill: Entry, signedOn: Day, firstDueDays = 0): Day =>
  bill.onSigning || bill.dueRuleDate === null || bill.dueRuleDate < signedOn
    ? addDays(signedOn, firstDueDays)
    : bill.dueRuleDate;
