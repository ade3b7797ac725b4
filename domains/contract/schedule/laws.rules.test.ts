import fc from "fast-check";
import { cases } from "../../../platform/checks/cases.ts";
import { expect, test } from "vitest";
import { addDays, addMonths, daysBetween, lengthOf, type Day } from "../../../platform/kernel/day.ts";
import { anySchedule } from "./any-schedule.sample.ts";
import { planBills } from "./bills.rules.ts";
import { canonical } from "./net.rules.ts";
import { recompute, sentence } from "./sentence.rules.ts";
import type { Explain, Line } from "./line.rules.ts";
import { cutAt, takeOver, trim } from "./carry.rules.ts";
import { contractMonths, periods } from "./months.rules.ts";
import { rentLines } from "./discounts.rules.ts";
import { firstRent, rentsAt } from "./steps.rules.ts";
import { CYCLES, type ScheduleInput } from "./terms.rules.ts";
import { validate } from "./fee-errors.rules.ts";

// The laws of the schedule, each over random contracts; together 19,500 in a run.
const RUNS = cases(1_000);
const sum = (lines: readonly { amount: number }[]) => lines.reduce((total, l) => total + l.amount, 0);
const linesOf = (input: ScheduleInput) => planBills(input).bills.flatMap((b) => b.lines);
/** A day from the day before the start to the end, evenly. */
const dayIn = ({ start, end }: ScheduleInput, at: number): Day =>
  addDays(start, Math.floor((at * (daysBetween(start, end) + 2)) / 10_000) - 1);
const anyCut = fc.tuple(anySchedule, fc.nat(9_999));
/** fast-check shrinks on a thrown error; comparing texts is much faster than deep equality of whole plans. */
const same = (a: unknown, b: unknown) => {
  if (canonical(a) !== canonical(b)) expect(a).toEqual(b);
};
const law = <T>(name: string, arbitrary: fc.Arbitrary<T>, hold: (value: T) => void) =>
  test(name, { timeout: 60_000 }, () => fc.assert(fc.property(arbitrary, hold), RUNS));

law("what the generator makes, the form accepts", anySchedule, (input) => same(validate(input), []));

law("months and periods tile the term, counted from the anchor", anySchedule, (input) => {
  for (const cycle of CYCLES) {
    const rows = periods(input, cycle);
    if (rows[0]!.from !== input.start || rows.at(-1)!.to !== input.end) expect.fail("ends");
    rows.forEach((row, i) => {
      if (row.from > row.to) expect.fail("empty period");
      if (i > 0 && row.from !== addDays(rows[i - 1]!.to, 1)) expect.fail("gap or overlap");
      if (i > 0 && cycle > 0 && row.from !== addMonths(input.anchorDate, i * cycle)) expect.fail("start");
    });
  }
  const days = contractMonths(input).reduce((total, m) => total + m.days, 0);
  expect(days).toBe(lengthOf({ from: input.start, to: input.end }));
});

law("the sum of rent does not depend on the cycle, nor any month slice", anySchedule, (input) => {
  const slices = (lines: Line[]) => lines.flatMap((l) => l.slices.map((s) => ({ ...s, roomId: l.roomId })));
  const monthly = slices(rentLines({ ...input, cycleMonths: 1 }));
  for (const cycleMonths of CYCLES) same(slices(rentLines({ ...input, cycleMonths })), monthly);
});

law(
  "every line lies in the term and is the sum of its slices; bills and totals add up",
  anySchedule,
  (input) => {
    const { bills, totals } = planBills(input);
    for (const bill of bills) {
      expect(bill.amount).toBe(sum(bill.lines));
      for (const { kind, from, to, slices, amount } of bill.lines) {
        if (from < input.start || to > input.end || from > to) expect.fail(`${kind} ${from} ${to}`);
        if (kind !== "deposit" && amount !== sum(slices)) expect.fail(`${kind} ${amount} ≠ ${sum(slices)}`);
        if (kind !== "discount" && amount < 0) expect.fail(`${kind} below 0`);
        slices.forEach((s, i) => {
          const gap = i > 0 && kind !== "discount" && s.from !== addDays(slices[i - 1]!.to, 1);
          if (gap || s.from < from || s.to > to || s.from > s.to)
            expect.fail(`slice ${s.from} ${s.to} of ${kind}`);
        });
      }
    }
    const { deposit, contractTotal, rent, fees, discounts } = totals;
    expect(new Set(bills.map((b) => b.key)).size).toBe(bills.length);
    expect(sum(bills)).toBe(deposit + contractTotal);
    expect(contractTotal).toBe(rent + fees + discounts);
    const bars = totals.months.reduce((all, m) => all + m.rent + m.fee + m.deposit + m.discount, 0);
    expect(bars).toBe(deposit + contractTotal);
  },
);

law("no discount takes a month below nothing", anySchedule, (input) => {
  const months = contractMonths(input);
  const left = new Map<string, number>();
  for (const { kind, feeKey, roomId, item, slices } of linesOf(input)) {
    if (kind === "deposit" || kind === "once") continue;
    for (const { from, amount } of slices) {
      const fee =
        kind === "fee" ? item : feeKey === "rent" ? "rent" : input.fees.findIndex((f) => f.feeId === feeKey);
      const key = `${fee} ${roomId} ${months.findIndex((m) => m.to >= from)}`;
      left.set(key, (left.get(key) ?? 0) + amount);
    }
  }
  for (const [key, amount] of left) if (amount < 0) expect.fail(`${key}: ${amount}`);
});

law("kept and given back are the whole at every cut, and nothing is kept twice", anyCut, ([input, at]) => {
  const cut = trim(input, dayIn(input, at));
  expect(cut.kept + cut.back).toBe(sum(linesOf(input).filter((l) => l.kind !== "deposit")));
  expect(cut.kept).toBe(sum(linesOf(cut.input).filter((l) => l.kind !== "deposit")));
  for (const { line, kept, back } of cut.rows)
    if (line.kind !== "discount" && (kept < 0 || back < 0)) expect.fail(`${line.from}: ${kept} + ${back}`);
});

law("cutting never changes what stands before the cut", anyCut, ([input, at]) => {
  const day = dayIn(input, at);
  const cut = linesOf(cutAt(input, day));
  const name = (l: Line) => `${l.kind} ${l.feeKey} ${l.item} ${l.roomId}`;
  const lines = new Map(cut.map((l) => [`${name(l)} ${l.from}`, l]));
  const slices = new Map(cut.flatMap((l) => l.slices.map((s) => [`${name(l)} ${s.from}`, s.amount])));
  // A sum shared by rooms is shared afresh in the month that is cut.
  const month = contractMonths(input).find((m) => m.from <= day && day <= m.to);
  const last = (l: Line) => (l.explain.rule === "amountOff" && month ? addDays(month.from, -1) : day);
  for (const line of linesOf(input)) {
    if (line.kind === "deposit") continue;
    if (line.kind !== "discount" && line.to <= day) same(lines.get(`${name(line)} ${line.from}`), line);
    // A fee that is whole for every started period stays whole, so its last month takes what is over.
    const moves = line.explain.rule === "wholePeriod" || (line.kind === "discount" && line.feeKey !== "rent");
    for (const { from, to, amount } of line.slices)
      if (!moves && to <= last(line) && slices.get(`${name(line)} ${from}`) !== amount)
        expect.fail(`${name(line)} ${from}: ${amount} became ${slices.get(`${name(line)} ${from}`)}`);
  }
});

law("what is taken over on any day goes on: old and new sum to the whole", anyCut, ([any, at]) => {
  // what is due once, deposits and discounts are agreed anew
  const old: ScheduleInput = { ...any, discounts: [], fees: any.fees.filter((f) => f.kind === "recurring") };
  const day = addDays(dayIn(old, at), 1);
  if (day > old.end || day <= old.start) return;
  const next = { ...old, ...takeOver(old, day), start: day, rooms: rentsAt(old, day) };
  const charged = (input: ScheduleInput) => {
    const sums = new Map<string, number>();
    for (const { kind, feeKey, roomId, item, amount } of linesOf(input))
      if (kind !== "deposit")
        sums.set(`${feeKey} ${roomId} ${item}`, (sums.get(`${feeKey} ${roomId} ${item}`) ?? 0) + amount);
    return sums;
  };
  const [whole, kept, rest] = [charged(old), charged(cutAt(old, addDays(day, -1))), charged(next)];
  for (const [what, amount] of whole)
    if ((kept.get(what) ?? 0) + (rest.get(what) ?? 0) !== amount)
      expect.fail(`${what} on ${day}: ${kept.get(what)} + ${rest.get(what)} is not ${amount}`);
});

law(
  "taken over twice in a term it is still the whole",
  fc.tuple(anySchedule, fc.nat(9_999), fc.nat(9_999)),
  ([any, at, later]) => {
    const a: ScheduleInput = {
      ...any,
      discounts: [],
      deposit: { mode: "amount", amount: 0 },
      fees: any.fees.filter((f) => f.kind === "recurring"),
    };
    const day = addDays(dayIn(a, at), 1);
    if (day > a.end || day <= a.start) return;
    const b: ScheduleInput = { ...a, ...takeOver(a, day), start: day, rooms: rentsAt(a, day) };
    const then = addDays(dayIn(b, later), 1);
    if (then > b.end || then <= b.start) return;
    const c: ScheduleInput = { ...b, ...takeOver(b, then), start: then, rooms: rentsAt(b, then) };
    const parts = [cutAt(a, addDays(day, -1)), cutAt(b, addDays(then, -1)), c];
    expect(sum(parts.flatMap(linesOf))).toBe(sum(linesOf(a)));
  },
);

law("the rent on a day is what the bills of that day charge", anyCut, ([input, at]) => {
  const day = dayIn(input, at);
  if (day < input.start) return;
  const rooms = rentsAt(input, day);
  for (const line of rentLines(input)) {
    if (line.from > day || line.to < day || line.explain.rule !== "rent") continue;
    const room = rooms.find((r) => r.roomId === line.roomId)!;
    if (line.explain.parts.some((part) => part.price !== room.monthlyRent))
      expect.fail(`${line.roomId} on ${day}: ${room.monthlyRent}`);
  }
});

law("lines split on any day cost what they cost unsplit", anyCut, ([any, at]) => {
  const input: ScheduleInput = { ...any, discounts: [] };
  const splitAt = addDays(dayIn(input, at), 1);
  const split = linesOf({ ...input, splitAt });
  expect(sum(split)).toBe(sum(linesOf(input)));
  const fees = (lines: Line[]) => lines.filter((l) => l.kind === "fee" || l.kind === "rent");
  const rest = fees(split).filter((l) => l.from >= splitAt);
  const back = trim(input, addDays(splitAt, -1)).rows.filter(
    (r) => r.line.kind === "fee" || r.line.kind === "rent",
  );
  expect(sum(rest)).toBe(back.reduce((total, r) => total + r.back, 0));
});

law("an unsplit price gives the unsplit sum", anyCut, ([any, at]) => {
  const rooms = any.rooms.slice(0, 1);
  const plain: ScheduleInput = { ...any, rooms, steps: [] };
  const fromDate = dayIn(plain, at);
  if (fromDate <= plain.start) return;
  const price = firstRent(plain, rooms[0]!);
  const step = {
    fromDate,
    mode: "table",
    value: String(price),
    resultRent: price,
    source: "manual",
  } as const;
  same(rentLines({ ...plain, steps: [step] }), rentLines(plain));
});

law("an explanation, stored and read again, gives the same fen and says it", anySchedule, (input) => {
  for (const { amount, explain, kind } of linesOf(input)) {
    const stored = JSON.parse(JSON.stringify(explain)) as Explain;
    if (recompute(stored) !== amount) expect.fail(`${kind}: ${canonical(explain)} is not ${amount}`);
    const words = sentence(stored);
    const yuan = (Math.abs(amount) / 100).toFixed(2);
    if (!words.replaceAll(",", "").includes(yuan)) expect.fail(`${words} does not say ${yuan}`);
  }
});
