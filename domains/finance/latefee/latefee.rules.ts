import { addDays, daysBetween, maxDay, minDay, type Day } from "../../../platform/kernel/day.ts";
import {
  compare,
  decimal,
  halfUp,
  plus,
  ratio,
  times,
  type Fen,
  type Ratio,
} from "../../../platform/kernel/fen.ts";

export type LateFeeInput = {
  dueDate: Day;
  graceDays: number;
  /** Per day, decimal text: "0.0005". */
  rate: string;
  /** Most that can be charged, as share of the principal: "1". */
  cap: string;
  /** What bears the fee, after reductions. Fees themselves are no part of it. */
  principal: Fen;
  /** What was paid (negative) or added (positive), by the money's own day; the day itself still counts as before. */
  changes: readonly { day: Day; amount: Fen; because: string }[];
  /** Days that do not count, inclusive; `to` null = still. */
  disputes: readonly { from: Day; to: Day | null }[];
};

export type Segment = {
  from: Day;
  to: Day;
  principal: Fen;
  /** 0 while disputed. */
  days: number;
  rate: string;
  fee: Fen;
  /** Why the segment begins. */
  because: string;
};
export type LateFee = { segments: Segment[]; days: number; total: Fen; capped: boolean };

const NONE: LateFee = { segments: [], days: 0, total: 0, capped: false };

/** The first day that counts: the one after the grace days. */
export const firstLateDay = (dueDate: Day, graceDays: number): Day => addDays(dueDate, graceDays + 1);

/**
 * The late fee up to and including a day, worked out from dates alone: asking twice gives the same. Each segment's fee
 * is rounded on the running total, so the segments add up to the total.
 */
export function lateFee(input: LateFeeInput, until: Day): LateFee {
  const start = firstLateDay(input.dueDate, input.graceDays);
  if (until < start) return NONE;
  const added = input.changes.reduce((sum, c) => sum + Math.max(c.amount, 0), 0);
  const most = times(ratio(input.principal + added), decimal(input.cap));
  const rate = decimal(input.rate);
  const result: LateFee = { segments: [], days: 0, total: 0, capped: false };
  let exact: Ratio = ratio(0);
  for (const { from, to, because, disputed } of stretches(input, start, until)) {
    const principal = owedOn(input, from);
    if (principal <= 0) continue;
    const days = disputed ? 0 : daysBetween(from, to) + 1;
    exact = plus(exact, times(times(ratio(principal), rate), ratio(days)));
    const over = compare(exact, most) > 0;
    const total = halfUp(over ? most : exact);
    result.segments.push({ from, to, principal, days, rate: input.rate, fee: total - result.total, because });
    result.days += days;
    result.total = total;
    result.capped ||= over;
  }
  return result;
}

/** What is owed at the beginning of a day. */
const owedOn = (input: LateFeeInput, day: Day): Fen =>
  input.changes.reduce((sum, c) => sum + (c.day < day ? c.amount : 0), input.principal);

/** Cuts the days where the principal changes and where a dispute begins or ends. */
function stretches(input: LateFeeInput, start: Day, until: Day) {
  const why = new Map<Day, string[]>([
    [start, [input.graceDays ? `宽限 ${input.graceDays} 天后起算` : "应收日次日起"]],
  ]);
  const cut = (day: Day, because: string) => {
    if (day > start && day <= until) why.set(day, [...(why.get(day) ?? []), because]);
  };
  for (const change of input.changes) cut(addDays(change.day, 1), change.because);
  for (const { from, to } of input.disputes) {
    cut(maxDay(from, start), "争议开始，暂停计算");
    if (to) cut(addDays(to, 1), "争议解除");
  }
  const days = [...why.keys()].toSorted();
  return days.map((from, i) => ({
    from,
    to: minDay(until, i + 1 < days.length ? addDays(days[i + 1]!, -1) : until),
    because: why.get(from)!.join("，"),
    disputed: input.disputes.some((d) => d.from <= from && (d.to === null || from <= d.to)),
  }));
}
