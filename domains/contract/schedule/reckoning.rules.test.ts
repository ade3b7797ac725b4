import fc from "fast-check";
import { expect, test } from "vitest";
import { addDays, addMonths, lengthOf, type Day } from "../../../platform/kernel/day.ts";
import {
  decimal,
  halfUp,
  minus,
  over,
  plus,
  ratio,
  times,
  type Ratio,
} from "../../../platform/kernel/fen.ts";
import { anySchedule } from "./any-schedule.sample.ts";
import { rentLines } from "./discounts.rules.ts";
import { firstRent } from "./steps.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

const ZERO = ratio(0);
const cap = (r: Ratio) => (r.n > r.d ? ratio(1) : r);

/** W(n) straight from its definition. */
function weightOf(input: ScheduleInput, n: number, monthDays: number): Ratio {
  if (n === monthDays) return ratio(1);
  if (input.basis === "actual") return ratio(n, monthDays);
  if (input.basis === "30") return cap(ratio(n, 30));
  if (input.basis === "365") return ratio(12 * n, 365);
  const room = input.rooms[0]!;
  const perDay = times(times(decimal(room.unitPrice!), decimal(room.area!)), ratio(100));
  return cap(over(times(ratio(n), perDay), ratio(firstRent(input, room))));
}

/** Walks through the term day by day with exact fractions; answers what is charged up to the end of each day. */
function reckon(input: ScheduleInput): Map<Day, number> {
  const upTo = new Map<Day, number>();
  const steps = input.steps.toSorted((a, b) => (a.fromDate < b.fromDate ? -1 : 1));
  let whole = 0;
  for (let m = 0; ; m++) {
    const from = addMonths(input.anchorDate, m);
    if (from > input.end) return upTo;
    const to = addDays(addMonths(input.anchorDate, m + 1), -1);
    const monthDays = lengthOf({ from, to });
    let exact = ZERO;
    let counted = 0;
    for (let day = from; day <= to && day <= input.end; day = addDays(day, 1)) {
      if (day < input.start) continue;
      counted++;
      const step = steps.findLast((s) => s.fromDate <= day);
      const price = step ? step.resultRent : firstRent(input, input.rooms[0]!);
      const share = minus(weightOf(input, counted, monthDays), weightOf(input, counted - 1, monthDays));
      const free = input.rentFree.some((f) => f.fromDate <= day && day <= f.toDate);
      if (!free) exact = reduced(plus(exact, times(ratio(price), share)));
      upTo.set(day, whole + halfUp(exact));
    }
    whole += halfUp(exact);
  }
}

function reduced({ n, d }: Ratio): Ratio {
  let [a, b] = [n < 0n ? -n : n, d];
  while (b) [a, b] = [b, a % b];
  return a > 1n ? { n: n / a, d: d / a } : { n, d };
}

test("rent agrees with a reckoning day by day in exact fractions", { timeout: 60_000 }, () => {
  const oneRoom = anySchedule.map((input): ScheduleInput => {
    const rooms = [{ ...input.rooms[0]!, joinDate: input.start, leaveDate: null }];
    return { ...input, rooms, steps: input.steps.map((s) => ({ ...s, roomId: null })) };
  });
  const agree = (input: ScheduleInput) => {
    const upTo = reckon(input);
    for (const { slices } of rentLines(input))
      for (const { from, to, amount } of slices) {
        const expected = upTo.get(to)! - (upTo.get(addDays(from, -1)) ?? 0);
        if (amount !== expected) expect.fail(`${from} – ${to}: ${amount}, by days ${expected}`);
      }
  };
  fc.assert(fc.property(oneRoom, agree), { numRuns: 1_000 });
});
