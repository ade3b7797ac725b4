import { type Day, addDays, addMonths, daysInMonth, firstOf, monthOf } from "../../../platform/kernel/day.ts";
import { feeCycle } from "./fees.rules.ts";
import type { BillKind, Line, PlannedBill } from "./line.rules.ts";
import type { BillingPeriod } from "./months.rules.ts";
import type { CycleMonths, DueRule, ScheduleFee, ScheduleInput } from "./terms.rules.ts";

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

/** Where a line stands: the key of its bill, and what that bill is apart from its lines. */
export type Slot = { key: string; head: () => Omit<PlannedBill, "key" | "title" | "amount" | "lines"> };

export type PeriodsOf = (cycle: CycleMonths) => readonly BillingPeriod[];

const dueWord = ({ rule, dueDays, dueDay, dueMonthOffset }: DueRule) =>
  rule === "advance"
    ? `advance${dueDays ?? 0}`
    : rule === "fixedDay"
      ? `day${dueDay ?? 1}(${dueMonthOffset ?? 0})`
      : rule;

const SIGNING: Due = { rule: null, onSigning: true };

/** `fee` is the fee that a line charges, or that a discount lowers; without it the line is rent or deposit. */
export function slotOf(
  input: ScheduleInput,
  line: Line,
  fee: ScheduleFee | undefined,
  periods: PeriodsOf,
): Slot {
  const roomId = input.billPerRoom ? line.roomId : null;
  const whose = roomId === null ? "" : `:room${roomId}`;
  const slot = (kind: BillKind, key: string, from: string, to: string, due: () => Due): Slot => ({
    key: key + whose,
    head: () => {
      const { rule, onSigning } = due();
      const { periodNo } = line;
      return {
        kind,
        periodNo,
        roomId,
        periodStart: from,
        periodEnd: to,
        dueRuleDate: rule,
        onSigning,
      };
    },
  });
  if (line.kind === "deposit") return slot("deposit", "deposit", input.start, input.end, () => SIGNING);
  if (line.periodNo === 0)
    return slot("once", `once${line.item}`, line.from, line.to, () =>
      fee?.fromDate ? dueDate(fee.due ?? input.due, line.from, false) : SIGNING,
    );
  const recurring = fee?.kind === "recurring";
  const cycle = recurring ? feeCycle(input, fee) : input.cycleMonths;
  const { no, from, to } = periods(cycle)[line.periodNo - 1]!;
  const own = recurring && input.billGrouping === "fee" ? `:fee${fee.feeId}` : "";
  const rule = recurring && fee.due ? `:${dueWord(fee.due)}` : "";
  const due = () => dueDate((recurring && fee.due) || input.due, from, no === 1);
  return slot(recurring ? "fee" : "rent", `${cycle}m:${from}${own}${rule}`, from, to, due);
}
