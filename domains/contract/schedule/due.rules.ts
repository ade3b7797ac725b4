import { addDays, addMonths, daysInMonth, firstOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import type { DueRule } from "./terms.rules.ts";

/** The date the rule gives for a period; null when the rule is "on signing". */
export function ruleDate(due: DueRule, periodStart: Day): Day | null {
  if (due.rule === "signing") return null;
  if (due.rule === "advance") return addDays(periodStart, -(due.dueDays ?? 0));
  const month = monthOf(addMonths(firstOf(monthOf(periodStart)), due.dueMonthOffset ?? 0));
  const last = daysInMonth(Number(month.slice(0, 4)), Number(month.slice(5, 7)));
  return `${month}-${String(Math.min(due.dueDay ?? 1, last)).padStart(2, "0")}`;
}

export type Due = { rule: Day | null; onSigning: boolean };

/**
 * The first period, and any whose rule date lies before the signing, are due on signing. Without signedOn (a preview) only
 * the first is, so that waiting for a signature changes nothing.
 */
export function dueDate(due: DueRule, periodStart: Day, first: boolean, signedOn?: Day): Due {
  const rule = ruleDate(due, periodStart);
  return { rule, onSigning: first || rule === null || (signedOn !== undefined && rule < signedOn) };
}

type Entry = { dueRuleDate: Day | null; onSigning: boolean };

/** The due date of a planned bill once the day of signing is known. */
export const dueOn = (bill: Entry, signedOn: Day, firstDueDays = 0): Day =>
  bill.onSigning || bill.dueRuleDate === null || bill.dueRuleDate < signedOn
    ? addDays(signedOn, firstDueDays)
    : bill.dueRuleDate;
