import { maxDay } from "../../../platform/kernel/day.ts";
import type { Line } from "./line.rules.ts";
import type { BillingPeriod } from "./months.rules.ts";
import type { ScheduleFee, ScheduleInput } from "./terms.rules.ts";

/** A one-off fee without a due rule of its own stands on the rent bill of its day; else it is a bill by itself. */
const joins = (input: ScheduleInput, fee: ScheduleFee) =>
  input.billGrouping === "period" && !fee.due && fee.payer !== "occupant";

/** periodNo 0 = a bill by itself. Not charged: a fee dated after a cut end, and any when the tenant never moved in. */
export function onceLines(input: ScheduleInput, periods: readonly BillingPeriod[]): Line[] {
  if (input.end < input.start) return [];
  return input.fees.flatMap((fee, item): Line[] => {
    if (fee.kind !== "once" || (fee.fromDate && fee.fromDate > input.end)) return [];
    const from = maxDay(fee.fromDate ?? input.start, input.start);
    const to = fee.toDate && fee.toDate > from ? fee.toDate : from;
    const period = joins(input, fee) ? periods.find((p) => p.from <= from && from <= p.to) : undefined;
    const { feeId, amount, roomId } = fee;
    return [
      {
        kind: "once",
        feeKey: feeId,
        roomId: roomId ?? null,
        item,
        periodNo: period?.no ?? 0,
        from,
        to,
        amount,
        slices: [{ from, to, amount }],
        explain: {
          rule: "once",
          formula: "一次性",
          rounding: "none",
          termsVersion: input.termsVersion ?? 1,
          price: amount,
        },
      },
    ];
  });
}
