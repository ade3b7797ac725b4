import { dueDate, type Due } from "./due.rules.ts";
import { feeCycle } from "./fees.rules.ts";
import type { BillKind, Line, PlannedBill } from "./line.rules.ts";
import type { BillingPeriod } from "./months.rules.ts";
import type { CycleMonths, DueRule, ScheduleFee, ScheduleInput } from "./terms.rules.ts";

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
  const payer = fee?.payer ?? "party";
  const roomId = payer === "occupant" || input.billPerRoom ? line.roomId : null;
  const whose = `${payer === "occupant" ? ":occupant" : ""}${roomId === null ? "" : `:room${roomId}`}`;
  const slot = (kind: BillKind, key: string, from: string, to: string, due: () => Due): Slot => ({
    key: key + whose,
    head: () => {
      const { rule, onSigning } = due();
      const { periodNo } = line;
      return {
        kind,
        periodNo,
        payer,
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
