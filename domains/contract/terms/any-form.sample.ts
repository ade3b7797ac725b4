import fc from "fast-check";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { expandSteps } from "../schedule/steps.rules.ts";
import { BASES, CYCLES } from "../schedule/terms.rules.ts";
import { DEFAULT_TERMS } from "./plans.rules.ts";
import type { Terms } from "./terms.contract.ts";
import { scheduleOf } from "./terms.rules.ts";

/** Subjects that the fees of a random form may name. */
export type AnyFee = { feeId: number; name: string; deposit: boolean };

const shape = fc.record({
  startIn: fc.integer({ min: 0, max: 700 }),
  days: fc.integer({ min: 20, max: 1100 }),
  rent: fc.integer({ min: 50_000, max: 1_500_000 }),
  cycleMonths: fc.constantFrom(...CYCLES),
  basis: fc.constantFrom(...BASES.filter((b) => b !== "area")),
  rentRounding: fc.constantFrom("fen", "jiao", "yuan"),
  calendarPeriods: fc.boolean(),
  deposit: fc.constantFrom("0", "0.5", "1", "1.5", "2", "3"),
  rule: fc.constantFrom("advance", "fixedDay", "signing"),
  dueDays: fc.integer({ min: 0, max: 30 }),
  dueDay: fc.integer({ min: 1, max: 31 }),
  dueMonthOffset: fc.constantFrom(-1 as const, 0 as const, 1 as const),
  firstDueDays: fc.integer({ min: 0, max: 7 }),
  billGrouping: fc.constantFrom("period", "fee"),
  rise: fc.option(
    fc.record({
      every: fc.integer({ min: 3, max: 14 }),
      mode: fc.constantFrom("percentCompound", "percentBase", "amount"),
      percent: fc.integer({ min: 1, max: 80 }),
    }),
  ),
  free: fc.option(
    fc.record({ at: fc.nat(300), days: fc.integer({ min: 1, max: 45 }), withFees: fc.boolean() }),
  ),
  hand: fc.option(
    fc.record({
      kind: fc.constantFrom("percent", "amount"),
      value: fc.integer({ min: 1, max: 999 }),
      everyMonth: fc.boolean(),
      fromMonth: fc.integer({ min: 1, max: 6 }),
    }),
  ),
  fees: fc.array(
    fc.record({
      kind: fc.constantFrom("recurring", "recurring", "once", "depositInKind"),
      amount: fc.integer({ min: 1, max: 60_000 }),
      cycleMonths: fc.option(fc.constantFrom(...CYCLES), { nil: undefined }),
      prorate: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
});

export type AnyForm = { start: string; end: string; terms: Terms; rent: number };

/** Terms as a clerk might agree them: any cycle, basis, due rule; steps, free days and fees that fit inside the term. */
export const anyForm = (fees: readonly AnyFee[], from: string): fc.Arbitrary<AnyForm> =>
  shape.map((s) => {
    const start = addDays(from, s.startIn);
    const end = addDays(start, s.days);
    const { dueDays, dueDay, dueMonthOffset, firstDueDays, rule } = s;
    const terms: Terms = {
      ...DEFAULT_TERMS,
      cycleMonths: s.cycleMonths,
      basis: s.basis as Terms["basis"],
      rentRounding: s.rentRounding as Terms["rentRounding"],
      calendarPeriods: s.calendarPeriods,
      deposit: { mode: "months", months: s.deposit },
      due: { rule: rule as "advance", dueDays, dueDay, dueMonthOffset, firstDueDays },
      billGrouping: s.billGrouping as Terms["billGrouping"],
      fees: s.fees.map((fee, i) => {
        const { feeId, name, deposit } = fees[i % fees.length]!;
        const kind = fee.kind === "depositInKind" || i >= fees.length ? "once" : fee.kind;
        return {
          feeId,
          name,
          kind: (deposit ? "depositInKind" : kind) as "once",
          amount: fee.amount,
          prorate: fee.prorate,
          ...(fee.cycleMonths !== undefined && { cycleMonths: fee.cycleMonths }),
        };
      }),
    };
    if (s.hand) {
      const { kind, value, ...more } = s.hand;
      // tenths of a percent, or tenths of a yuan
      const worth = kind === "percent" ? String(value / 10) : String(value * 10);
      terms.discounts = [
        { ...more, name: "整单优惠", kind: kind as "amount", value: worth, order: 100, reason: "" },
      ];
    }
    if (s.free && s.free.at <= daysBetween(start, end)) {
      const fromDate = addDays(start, s.free.at);
      const toDate = [addDays(fromDate, s.free.days), end].sort()[0]!;
      terms.rentFree = [
        { fromDate, toDate, ...(s.free.withFees && { feeIds: terms.fees.map((f) => f.feeId) }) },
      ];
    }
    if (s.rise) {
      const { every, mode, percent } = s.rise;
      const value = mode === "amount" ? String(percent * 100) : (percent / 10).toFixed(1);
      const rule = { every, unit: "month" as const, mode: mode as "amount", value };
      const rooms = [{ roomId: 1, monthlyRent: s.rent, unitPrice: null, area: null }];
      // as a rule, or written out as contracts from before rules were kept have it
      if (percent % 2) terms.stepRule = rule;
      else terms.steps = expandSteps(scheduleOf({ start, end, terms, rooms }), rule);
    }
    return { start, end, terms, rent: s.rent };
  });
