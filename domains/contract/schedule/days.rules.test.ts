import { expect, test } from "vitest";
import { addDays, addMonths, dayNumber } from "../../../platform/kernel/day.ts";
import { cutAt, takeOver } from "./carry.rules.ts";
import { rentLines } from "./discounts.rules.ts";
import { contractMonths, monthStarts } from "./months.rules.ts";
import { effectiveMonthlyRent } from "./net.rules.ts";
import { dueDate, dueOn, ruleDate } from "./slot.rules.ts";
import { type SampleTerms, aSchedule } from "./schedule.sample.ts";
import { rentsAt } from "./steps.rules.ts";
import type { DueRule } from "./terms.rules.ts";
import { segments, weight } from "./write.rules.ts";

const free = (fromDate: string, toDate: string) => ({ fromDate, toDate });
const month = { deposit: { mode: "amount", amount: 0 }, end: "2026-03-31" } as const;

test("days fall into stretches of one price; a cut before the first day is none", () => {
  const day = dayNumber("2026-03-01");
  const all = { from: day, to: day + 30, price: 300_000, free: false };
  const cutAt = (splitAt: string) => segments(day, day + 30, [{ from: day, price: 300_000 }], [], splitAt);
  expect(cutAt("2026-03-01")).toEqual([all]);
  expect(cutAt("2026-04-01")).toEqual([all]);
  expect(cutAt("2026-03-31")).toEqual([
    { ...all, to: day + 29 },
    { ...all, from: day + 30 },
  ]);
  expect(
    segments(day, day + 30, [{ from: day, price: 300_000 }], [free("2026-03-31", "2026-03-31")]),
  ).toEqual([
    { ...all, to: day + 29 },
    { ...all, from: day + 30, free: true },
  ]);
});

test("the rent of a month after discounts is weighed by the days that are charged", () => {
  const tenth = { kind: "percent" as const, value: "10", order: 1 };
  const net = (terms: SampleTerms) =>
    effectiveMonthlyRent(aSchedule({ basis: "30", discounts: [tenth], ...terms })).rooms.map((r) => r.net);
  expect(net({ end: "2026-04-15" })).toEqual([270_000]);
  const room = (joinDate: string, leaveDate: string | null = null) =>
    net({ months: 4, room: { joinDate, leaveDate } });
  expect(room("2026-04-11")).toEqual([270_000]);
  expect(room("2026-04-30", "2026-06-01")).toEqual([270_000]);
  // taken over on the 16th: fifteen days were charged before
  const taken = { start: "2026-03-16", anchorDate: "2026-03-01", carriedDays: 15, end: "2026-06-30" };
  expect(net(taken)).toEqual([270_000]);
  expect(net({ ...taken, room: { joinDate: "2026-04-11" } })).toEqual([270_000]);
  expect(net({ rooms: [{ roomId: 1, monthlyRent: 300_000, joinDate: "2027-05-01" }] })).toEqual([]);
});

test("rounding the days of months is no discount", () => {
  const net = (terms: SampleTerms) => effectiveMonthlyRent(aSchedule(terms)).total;
  expect(net({ start: "2026-10-31", end: "2026-12-08", calendarPeriods: true })).toBe(300_000);
  expect(net({ start: "2028-03-27", end: "2028-03-27", calendarPeriods: true, rent: 823_315 })).toBe(823_315);
});

test("a month taken over counts on from the days before it, for what begins with the term alone", () => {
  const taken = { basis: "30", start: "2026-03-16", anchorDate: "2026-03-01", carriedDays: 15 } as const;
  const first = (terms: SampleTerms) =>
    rentLines(aSchedule({ ...taken, end: "2026-04-30", ...terms }))[0]!.amount;
  // the 31st weighs nothing: 30 − 15 days
  expect(first({})).toBe(150_000);
  expect(first({ room: { joinDate: "2026-04-11" } })).toBe(200_000);
  expect(first({ carriedDays: null })).toBe(160_000);
});

test("a price by the square metre weighs days by area, unless there is no rent to weigh against", () => {
  const area = { unitPrice: "4.5", area: "40", rent: 1 };
  expect(weight("area", 10, 31, area)).toEqual({ n: 1n, d: 1n });
  expect(weight("area", 10, 31, { ...area, rent: 0 })).toEqual(weight("365", 10, 31));
  const half = { basis: "area", end: "2026-03-15" } as const;
  const amount = (room: object) => rentLines(aSchedule({ ...half, room }))[0]!.amount;
  expect(amount({ unitPrice: "4.5", area: "40" })).toBe(270_000);
  // without an area, or without a price, as by the year
  expect([amount({ unitPrice: "4.5" }), amount({ area: "40" })]).toEqual([147_945, 147_945]);
});

const takenOver = (terms: SampleTerms, day: string) => {
  const old = aSchedule(terms);
  return { old, taken: { ...old, ...takeOver(old, day), start: day, rooms: rentsAt(old, day) } };
};

test("old and new add up to the month, whatever was free in it and on whichever day it is taken over", () => {
  const sum = (input: ReturnType<typeof aSchedule>) =>
    rentLines(input).reduce((all, line) => all + line.amount, 0);
  const rentFree = [free("2026-03-03", "2026-03-05")];
  for (const basis of ["actual", "30", "365"] as const)
    for (let day = 2; day <= 31; day++)
      for (const rent of [100_003, 100_011, 100_029]) {
        const at = `2026-03-${String(day).padStart(2, "0")}`;
        const { old, taken } = takenOver({ ...month, basis, rent, rentFree }, at);
        const kept = rentLines(cutAt(old, `2026-03-${String(day - 1).padStart(2, "0")}`));
        expect(kept.reduce((all, line) => all + line.amount, 0) + sum(taken), `${basis} ${at} ${rent}`).toBe(
          sum(old),
        );
      }
});

test("another price or another way of counting begins from the days, not from what they cost", () => {
  const { taken } = takenOver({ ...month, rentFree: [free("2026-03-01", "2026-03-05")] }, "2026-03-16");
  const first = (more: object) => rentLines({ ...taken, ...more })[0]!.amount;
  expect(first({ basis: "30" })).toBe(150_000);
  expect(first({ rooms: [{ ...taken.rooms[0]!, monthlyRent: 600_000 }] })).toBe(309_677);
});

test("what is taken over between two months carries nothing, and on the first day what the old one had carried", () => {
  const rentFree = [free("2026-03-03", "2026-03-05")];
  expect(takenOver({ rentFree }, "2026-04-01").taken).toMatchObject({ carriedDays: 0, carried: undefined });
  expect(takenOver({}, "2026-03-16").taken).toMatchObject({ carriedDays: 15, carried: undefined });
  const { taken } = takenOver({ rentFree }, "2026-03-16");
  expect(taken.carried).toEqual([
    { feeKey: "rent", roomId: 1, price: 300_000, days: 15, cost: "3600000/31" },
  ]);
  expect(takeOver(taken, "2026-03-16")).toMatchObject({ carriedDays: 15, carried: taken.carried });
});

test.each(["2026-01-31", "2023-11-30", "2028-02-29", "2099-12-15", "1999-01-01"])(
  "the month starts from %s are those of the kernel's calendar",
  (anchor) => {
    const next = monthStarts(anchor, -14);
    for (let m = -14; m < 300; m++) {
      const day = addMonths(anchor, m);
      expect(next()).toEqual({ number: dayNumber(day), day, dayBefore: addDays(day, -1) });
    }
  },
);

test("a month ends on the day before the next, also where that is the first, or the term's last day", () => {
  const months = (start: string, end: string) =>
    contractMonths({ start, end, anchorDate: start }).map(({ from, to, days }) => `${from} ~ ${to} ${days}`);
  expect(months("2026-03-02", "2026-05-01")).toEqual([
    "2026-03-02 ~ 2026-04-01 31",
    "2026-04-02 ~ 2026-05-01 30",
  ]);
  expect(months("2026-03-01", "2026-04-01")).toEqual([
    "2026-03-01 ~ 2026-03-31 31",
    "2026-04-01 ~ 2026-04-01 1",
  ]);
});

const fixed = (dueDay: number, dueMonthOffset: -1 | 0 | 1): DueRule => ({
  rule: "fixedDay",
  dueDay,
  dueMonthOffset,
});

test.each([
  [fixed(25, -1), "2026-05-31", "2026-04-25"],
  [fixed(31, -1), "2026-03-01", "2026-02-28"],
  [fixed(31, -1), "2028-03-01", "2028-02-29"],
  [fixed(31, 0), "2026-12-15", "2026-12-31"],
  [fixed(1, 0), "2026-03-15", "2026-03-01"],
  [fixed(10, 1), "2026-03-01", "2026-04-10"],
  [fixed(15, -1), "2026-01-20", "2025-12-15"],
  [{ rule: "advance", dueDays: 7 } as const, "2026-03-05", "2026-02-26"],
  [{ rule: "signing" } as const, "2026-03-05", null],
])("E25 %j of the period from %s is due on %s", (due, start, expected) => {
  expect(ruleDate(due, start)).toBe(expected);
});

test("a rule date before the signing moves to the signing; a preview waits without changing", () => {
  const due: DueRule = { rule: "advance", dueDays: 7 };
  expect(dueDate(due, "2026-06-15", false)).toEqual({ rule: "2026-06-08", onSigning: false });
  expect(dueDate(due, "2026-06-15", true).onSigning).toBe(true);
  expect(dueDate({ rule: "signing" }, "2026-06-15", false)).toEqual({ rule: null, onSigning: true });
  const later = { dueRuleDate: "2026-06-08", onSigning: false };
  expect(dueOn(later, "2026-06-10", 3)).toBe("2026-06-13");
  expect(dueOn(later, "2026-06-08", 3)).toBe("2026-06-08");
  expect(dueOn({ ...later, onSigning: true }, "2026-06-01")).toBe("2026-06-01");
  expect(dueOn({ dueRuleDate: null, onSigning: true }, "2026-03-12")).toBe("2026-03-12");
});
