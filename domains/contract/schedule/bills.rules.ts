import { depositLines } from "./deposit.rules.ts";
import { discountStreams } from "./discounts.rules.ts";
import { feeStreams } from "./fees.rules.ts";
import type { BillKind, Line, Plan, PlannedBill } from "./line.rules.ts";
import { monthTable, periodsOf, type BillingPeriod } from "./months.rules.ts";
import { onceLines } from "./once.rules.ts";
import { rentStreams } from "./rent.rules.ts";
import { slotOf } from "./slot.rules.ts";
import type { CycleMonths, ScheduleFee, ScheduleInput } from "./terms.rules.ts";
import { planTotals } from "./totals.rules.ts";

const RANK: Record<BillKind, number> = { deposit: 0, rent: 1, fee: 2, once: 3 };

function titleOf(input: ScheduleInput, bill: PlannedBill): string {
  const names = new Set<string>();
  for (const { kind, item } of bill.lines) {
    const fee = item === null || kind === "discount" ? undefined : input.fees[item];
    if (kind === "rent") names.add("租金");
    else if (kind === "deposit") names.add(fee?.name ?? "押金");
    else if (fee) names.add(fee.name ?? (kind === "once" ? "一次性费用" : "费用"));
  }
  const [first = "", ...rest] = names;
  const text = rest.length > 2 ? `${first}等${names.size}项` : [first, ...rest].join("、");
  return bill.periodNo ? `第${bill.periodNo}期${text}` : text;
}

/** The bills that a contract creates when it is signed, and what they sum to. */
export function planBills(input: ScheduleInput): Plan {
  const table = monthTable(input);
  const known = new Map<CycleMonths, BillingPeriod[]>();
  const periods = (cycle: CycleMonths) => {
    const rows = known.get(cycle) ?? periodsOf(table, cycle);
    known.set(cycle, rows);
    return rows;
  };
  const bills = new Map<string, PlannedBill>();
  const place = (line: Line, fee: ScheduleFee | undefined) => {
    const { key, head } = slotOf(input, line, fee, periods);
    let bill = bills.get(key);
    if (!bill) {
      bill = { key, title: "", amount: 0, lines: [], ...head() };
      bills.set(key, bill);
    }
    bill.amount += line.amount;
    bill.lines.push(line);
  };

  for (const line of depositLines(input)) place(line, line.item === null ? undefined : input.fees[line.item]);
  const rents = rentStreams(input, table);
  const streams = [...rents, ...feeStreams(input, table)];
  const discounts = discountStreams(input, table, streams);
  streams.forEach((lines, k) => {
    const fee = input.fees[k - rents.length];
    const off = discounts[k]!;
    let next = 0;
    // Discounts stand under the last line of what they lower.
    lines.forEach((line, i) => {
      place(line, fee);
      if (lines[i + 1]?.periodNo !== line.periodNo)
        for (; off[next]?.periodNo === line.periodNo; next++) place(off[next]!, fee);
    });
  });
  for (const line of onceLines(input, periods(input.cycleMonths))) place(line, input.fees[line.item!]);

  const rows = [...bills.values()].sort((a, b) =>
    a.periodStart === b.periodStart ? RANK[a.kind] - RANK[b.kind] : a.periodStart < b.periodStart ? -1 : 1,
  );
  for (const bill of rows) bill.title = titleOf(input, bill);
  return { bills: rows, totals: planTotals(input, rows) };
}
