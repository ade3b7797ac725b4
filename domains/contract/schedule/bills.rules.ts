import { type Day, type Month, addDays, maxDay, monthOf } from "../../../platform/kernel/day.ts";
import { type Fen, decimal, halfUp, ratio, times } from "../../../platform/kernel/fen.ts";
import { discountStreams, rentStreams } from "./discounts.rules.ts";
import { feeStreams } from "./fees.rules.ts";
import type { BillKind, Explain, Line, MonthBar, Plan, PlanTotals, PlannedBill } from "./line.rules.ts";
import { type BillingPeriod, monthTable, periodsOf } from "./months.rules.ts";
import { netMonthlyRents } from "./net.rules.ts";
import { slotOf } from "./slot.rules.ts";
import { firstRent } from "./steps.rules.ts";
import type { CycleMonths, ScheduleFee, ScheduleInput } from "./terms.rules.ts";

const barOf = (month: Month): MonthBar => ({ month, rent: 0, fee: 0, deposit: 0, discount: 0, free: 0 });
const forgoneOf = (line: Line): Fen => (line.explain.rule === "free" ? line.explain.forgone : 0);

/** The sums of a plan: what is due at signing, the whole, and the bars of the chart by the month in which bills start: they come in that order. */
export function planTotals(input: ScheduleInput, bills: readonly PlannedBill[]): PlanTotals {
  const totals = {
    atSigning: 0,
    deposit: input.depositCarried ?? 0,
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

/** Months of the first rent before discounts and steps, or a sum; deposits in kind (keys, cards) besides. Never prorated. */
export function depositLines(input: ScheduleInput): Line[] {
  const { start, end, deposit, rooms } = input;
  const termsVersion = input.termsVersion ?? 1;
  const lines: Line[] = [];
  const put = (roomId: number | null, amount: Fen, explain: Explain, item: number | null = null) => {
    const feeKey = item === null ? ("deposit" as const) : input.fees[item]!.feeId;
    if (amount > 0)
      lines.push({
        kind: "deposit",
        feeKey,
        roomId,
        item,
        periodNo: 0,
        from: start,
        to: end,
        amount,
        slices: [],
        explain,
      });
  };
  if (deposit.mode === "months")
    for (const room of rooms) {
      const price = firstRent(input, room);
      const why = {
        rule: "depositMonths" as const,
        rounding: "halfUp" as const,
        formula: "首月月租 × 押金月数",
      };
      const explain = { ...why, termsVersion, price, months: deposit.months };
      put(room.roomId, halfUp(times(ratio(price), decimal(deposit.months))), explain);
    }
  else {
    const why = {
      rule: "depositAmount" as const,
      rounding: "none" as const,
      formula: "约定金额",
      termsVersion,
    };
    const perRoom = rooms.length > 1 && rooms.every((r) => r.depositAmount != null);
    if (perRoom) for (const r of rooms) put(r.roomId, r.depositAmount!, { ...why, price: r.depositAmount! });
    else put(rooms.length === 1 ? rooms[0]!.roomId : null, deposit.amount, { ...why, price: deposit.amount });
  }
  input.fees.forEach((fee, item) => {
    const why = {
      rule: "depositAmount" as const,
      rounding: "none" as const,
      formula: "约定金额",
      termsVersion,
    };
    if (fee.kind === "depositInKind")
      put(fee.roomId ?? null, fee.amount, { ...why, price: fee.amount }, item);
  });
  return lessCarried(lines, input.depositCarried ?? 0);
}

/** What is left to pay of each deposit, in order, once what was handed over has been taken off. */
export function lessCarried(lines: readonly Line[], carried: Fen): Line[] {
  let left = carried;
  return lines.flatMap((line): Line[] => {
    const off = Math.min(left, line.amount);
    if (!off) return [line];
    left -= off;
    const { amount: price, explain } = line;
    const { termsVersion } = explain;
    const why = { rule: "depositRest", rounding: "none", formula: "押金 − 转入押金" } as const;
    return price === off
      ? []
      : [{ ...line, amount: price - off, explain: { ...why, termsVersion, price, carried: off } }];
  });
}

/** The whole deposit as it is agreed, with what stands for keys and cards: the most that can be handed over. */
export const agreedDeposit = (input: ScheduleInput): Fen =>
  depositLines({ ...input, depositCarried: 0 }).reduce((sum, line) => sum + line.amount, 0);

/** A one-off fee without a due rule of its own stands on the rent bill of its day; else it is a bill by itself. */
const joins = (input: ScheduleInput, fee: ScheduleFee) => input.billGrouping === "period" && !fee.due;

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

const RANK: Record<BillKind, number> = { deposit: 0, rent: 1, fee: 2, once: 3 };

/** What a bill is called, by its period and what stands on it. */
export function titleOf(
  input: Pick<ScheduleInput, "fees">,
  bill: Pick<PlannedBill, "periodNo" | "lines">,
): string {
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
