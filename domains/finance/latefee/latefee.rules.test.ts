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
        because: "宽限 3 天后起算",
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

describe("what stands between two days", () => {
  const more = (day: string, amount: number) => ({ day, amount, because: "调整" });
  const shown = (input: LateFeeInput, until: string) =>
    lateFee(input, until).segments.map((s) => [s.from, s.to, s.principal, s.days, s.because]);

  test("money still counts as owed on its own day, on the first day of lateness too", () => {
    expect(shown({ ...march, changes: [paid("2026-03-05", 280_000)] }, "2026-03-20")).toEqual([
      ["2026-03-05", "2026-03-05", 280_000, 1, "宽限 3 天后起算"],
    ]);
    expect(shown({ ...march, changes: [paid("2026-03-04", 80_000)] }, "2026-03-05")).toEqual([
      ["2026-03-05", "2026-03-05", 200_000, 1, "宽限 3 天后起算"],
    ]);
    expect(shown({ ...march, changes: [paid("2026-03-06", 80_000)] }, "2026-03-06")).toHaveLength(1);
    expect(shown({ ...march, changes: [paid("2026-03-06", 80_000)] }, "2026-03-07")).toEqual([
      ["2026-03-05", "2026-03-06", 280_000, 2, "宽限 3 天后起算"],
      ["2026-03-07", "2026-03-07", 200_000, 1, "收款"],
    ]);
  });

  test("the cap is a share of the principal with what was added to it, and only that which was added", () => {
    const input = { ...march, rate: "0.01", cap: "0.5", principal: 100_000 };
    expect(lateFee(input, "2026-12-31")).toMatchObject({ total: 50_000, capped: true });
    const raised = { ...input, changes: [more("2026-03-10", 40_000), paid("2026-03-20", 20_000)] };
    expect(lateFee(raised, "2026-12-31")).toMatchObject({ total: 70_000, capped: true });
    expect(lateFee(input, "2026-04-23"), "50 days come to the cap and not beyond it").toMatchObject({
      total: 50_000,
      capped: false,
    });
  });

  test("a dispute does not count from its first to its last day, and one that is open never again", () => {
    const disputes = [{ from: "2026-03-10", to: "2026-03-12" }];
    expect(shown({ ...march, disputes }, "2026-03-20")).toEqual([
      ["2026-03-05", "2026-03-09", 280_000, 5, "宽限 3 天后起算"],
      ["2026-03-10", "2026-03-12", 280_000, 0, "争议开始，暂停计算"],
      ["2026-03-13", "2026-03-20", 280_000, 8, "争议解除"],
    ]);
    expect(lateFee({ ...march, disputes: [{ from: "2026-03-10", to: null }] }, "2027-01-01").days).toBe(5);
    expect(shown({ ...march, disputes: [{ from: "2026-03-01", to: "2026-03-05" }] }, "2026-03-06")).toEqual([
      ["2026-03-05", "2026-03-05", 280_000, 0, "宽限 3 天后起算"],
      ["2026-03-06", "2026-03-06", 280_000, 1, "争议解除"],
    ]);
  });

  test("without grace it begins the day after, and says so; on the last day of grace there is none", () => {
    expect(shown({ ...march, graceDays: 0 }, "2026-03-02")).toEqual([
      ["2026-03-02", "2026-03-02", 280_000, 1, "应收日次日起"],
    ]);
    expect(lateFee(march, "2026-03-04")).toEqual({ segments: [], days: 0, total: 0, capped: false });
    expect(lateFee(march, "2026-03-05").days).toBe(1);
  });

  test("two reasons of one day are told together; a principal of one fen still counts", () => {
    const input = { ...march, changes: [paid("2026-03-09", 80_000), more("2026-03-09", 1)] };
    expect(shown(input, "2026-03-10")[1]).toEqual(["2026-03-10", "2026-03-10", 200_001, 1, "收款，调整"]);
    expect(lateFee({ ...march, principal: 1 }, "2026-03-05").segments).toHaveLength(1);
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
