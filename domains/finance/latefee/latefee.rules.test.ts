import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addDays } from "../../../platform/kernel/day.ts";
import { lateFee, type LateFeeInput } from "./latefee.rules.ts";

/** 李四: 2,800.00 due on 1 March, three days of grace, 0.05% a day. */
const march: LateFeeInput = {
  dueDate: "2026-03-01",
  graceDays: 3,
  rate: "0.0005",
  cap: "1",
  principal: 280_000,
  changes: [],
  disputes: [],
};
const paid = (day: string, amount: number) => ({ day, amount: -amount, because: "收款" });

describe("the late fee of the example", () => {
  test("counts 22 days to 26 March: 30.80", () => {
    const fee = lateFee(march, "2026-03-26");
    expect(fee.segments).toEqual([
      {
        from: "2026-03-05",
        to: "2026-03-26",
        principal: 280_000,
        days: 22,
        rate: "0.0005",
        fee: 3080,
        because: "宽限3天后起算",
      },
    ]);
    expect(fee.total).toBe(3080);
  });

  test("goes on with what is left: 3.25 by 31 March, 9.75 more by 10 April, 40.55 in all", () => {
    const changed = { ...march, changes: [paid("2026-03-26", 150_000)] };
    expect(lateFee(changed, "2026-03-31").total - 3080).toBe(325);
    const whole = lateFee(changed, "2026-04-10");
    expect(whole.segments.map((s) => [s.days, s.principal, s.fee])).toEqual([
      [22, 280_000, 3080],
      [15, 130_000, 975],
    ]);
    expect(whole.total).toBe(4055);
  });

  test("leaves five disputed days out: 37.30", () => {
    const input = {
      ...march,
      changes: [paid("2026-03-26", 150_000)],
      disputes: [{ from: "2026-04-01", to: "2026-04-05" }],
    };
    expect(lateFee(input, "2026-04-10").total).toBe(3730);
  });

  test("is nothing within the grace days, nor after everything is paid", () => {
    expect(lateFee(march, "2026-03-04").total).toBe(0);
    const input = { ...march, changes: [paid("2026-03-04", 280_000)] };
    expect(lateFee(input, "2026-12-31").total).toBe(0);
  });

  test("stops at the cap", () => {
    const fee = lateFee({ ...march, cap: "0.1" }, "2028-03-01");
    expect(fee).toMatchObject({ total: 28_000, capped: true });
    expect(fee.segments.reduce((sum, s) => sum + s.fee, 0)).toBe(28_000);
  });
});

const day = fc.integer({ min: 0, max: 400 }).map((n) => addDays("2026-01-01", n));
const inputs = fc
  .record({
    principal: fc.integer({ min: 1, max: 5_000_000 }),
    graceDays: fc.integer({ min: 0, max: 30 }),
    rate: fc.constantFrom("0.0005", "0.001", "0.000333", "0"),
    cap: fc.constantFrom("1", "0.3", "0"),
    shares: fc.array(fc.record({ day, percent: fc.integer({ min: 1, max: 100 }) }), { maxLength: 5 }),
    disputes: fc.array(fc.record({ from: day, length: fc.integer({ min: 0, max: 40 }) }), { maxLength: 3 }),
  })
  .map(({ principal, shares, disputes, ...rest }): LateFeeInput => {
    let left = principal;
    const changes = shares
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
      .map((s) => {
        const amount = Math.floor((left * s.percent) / 100);
        left -= amount;
        return { day: s.day, amount: -amount, because: "收款" };
      });
    return {
      dueDate: "2026-02-01",
      principal,
      ...rest,
      changes,
      disputes: disputes.map((d) => ({ from: d.from, to: addDays(d.from, d.length) })),
    };
  });

describe("for any bill", () => {
  test("the fee never falls as days pass, and its segments add up to it", () => {
    fc.assert(
      fc.property(inputs, day, fc.integer({ min: 0, max: 60 }), (input, until, more) => {
        const fee = lateFee(input, until);
        expect(fee.segments.reduce((sum, s) => sum + s.fee, 0)).toBe(fee.total);
        expect(lateFee(input, addDays(until, more)).total).toBeGreaterThanOrEqual(fee.total);
        expect(fee.total).toBeLessThanOrEqual(input.principal);
      }),
    );
  });

  test("asking twice, or in another order of the changes, gives the same", () => {
    fc.assert(
      fc.property(inputs, day, (input, until) => {
        const turned = { ...input, changes: input.changes.toReversed() };
        expect(lateFee(turned, until).total).toBe(lateFee(input, until).total);
      }),
    );
  });

  test("money that came earlier lowers the fee, or leaves it", () => {
    fc.assert(
      fc.property(inputs, day, fc.integer({ min: 0, max: 90 }), (input, until, back) => {
        const earlier = {
          ...input,
          changes: input.changes.map((c) => ({ ...c, day: addDays(c.day, -back) })),
        };
        expect(lateFee(earlier, until).total).toBeLessThanOrEqual(lateFee(input, until).total);
      }),
    );
  });
});
