import { monthOf, type Month } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { netMonthlyRents } from "./net.rules.ts";
import type { Line, MonthBar, PlannedBill, PlanTotals } from "./line.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

const barOf = (month: Month): MonthBar => ({ month, rent: 0, fee: 0, deposit: 0, discount: 0, free: 0 });
const forgoneOf = (line: Line): Fen => (line.explain.rule === "free" ? line.explain.forgone : 0);

/** The sums of a plan: what is due at signing, the whole, and the bars of the chart by the month in which bills start: they come in that order. */
export function planTotals(input: ScheduleInput, bills: readonly PlannedBill[]): PlanTotals {
  const totals = {
    atSigning: 0,
    deposit: 0,
    contractTotal: 0,
    firstRent: 0,
    rent: 0,
    fees: 0,
    discounts: 0,
    forgone: 0,
  };
  const bars = new Map<Month, MonthBar>();
  const ofRent: Line[] = [];
  for (const bill of bills) {
    if (bill.onSigning) totals.atSigning += bill.amount;
    const month = monthOf(bill.periodStart);
    const bar = bars.get(month) ?? barOf(month);
    bars.set(month, bar);
    for (const line of bill.lines) {
      const { kind, amount } = line;
      if (kind === "deposit") {
        totals.deposit += amount;
        bar.deposit += amount;
        continue;
      }
      totals.contractTotal += amount;
      if (kind === "rent") {
        const free = forgoneOf(line);
        totals.rent += amount;
        totals.forgone += free;
        bar.rent += amount;
        bar.free += free;
      } else if (kind === "discount") {
        totals.discounts += amount;
        bar.discount += amount;
      } else {
        totals.fees += amount;
        bar.fee += amount;
      }
      if (line.feeKey !== "rent") continue;
      ofRent.push(line);
      if (line.periodNo === 1) totals.firstRent += amount;
    }
  }
  const net = netMonthlyRents(input, ofRent);
  return {
    ...totals,
    netMonthlyRent: net.length ? net.reduce((sum, room) => sum + room.net, 0) : null,
    months: [...bars.values()],
  };
}
