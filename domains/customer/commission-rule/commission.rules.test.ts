import { describe, expect, test } from "vitest";
import { clawedBy, earnedBy, monthsOf, tierOf, tierRefusal } from "./commission.rules.ts";

const TIERS = [
  { fromMonths: 0, percent: "30" },
  { fromMonths: 6, percent: "50" },
  { fromMonths: 12, percent: "100" },
];
const RULE = { name: "标准佣金", base: "monthRent" as const, tiers: TIERS, cap: null };
const term = (months: number) => ({ months, monthRent: 300_000, totalRent: 300_000 * months });

describe("what a contract earns", () => {
  test("12 and 6 months at 3,000.00 earn 3,000.00 and 1,500.00", () => {
    expect(earnedBy(RULE, term(12))).toEqual({
      base: 300_000,
      amount: 300_000,
      explain: {
        rule: "标准佣金，满 12 个月",
        inputs: "租期 12 个月，月租金 3,000.00 元",
        formula: "3,000.00 × 100% = 3,000.00",
      },
    });
    expect(earnedBy(RULE, term(6)).amount).toBe(150_000);
    expect(earnedBy(RULE, term(5)).amount).toBe(90_000);
  });

  test("the cap is said where it holds", () => {
    const capped = earnedBy({ ...RULE, cap: 200_000 }, term(24));
    expect(capped.amount).toBe(200_000);
    expect(capped.explain.formula).toBe("3,000.00 × 100% = 3,000.00，封顶 2,000.00");
  });

  test("of the whole rent, and as a sum", () => {
    const total = { ...RULE, base: "totalRent" as const, tiers: [{ fromMonths: 0, percent: "5.5" }] };
    expect(earnedBy(total, term(12))).toMatchObject({ base: 3_600_000, amount: 198_000 });
    const fixed = { ...RULE, base: "fixed" as const, tiers: [{ fromMonths: 6, fixed: 80_000 }] };
    expect(earnedBy(fixed, term(6))).toMatchObject({ base: 0, amount: 80_000 });
    expect(earnedBy(fixed, term(3))).toMatchObject({ amount: 0 });
  });

  test("half a fen is rounded up once", () => {
    const rule = { ...RULE, tiers: [{ fromMonths: 0, percent: "33.33" }] };
    expect(earnedBy(rule, { months: 1, monthRent: 150, totalRent: 150 }).amount).toBe(50);
  });
});

describe("terms and tiers", () => {
  test("only whole months count", () => {
    expect(monthsOf("2026-12-01", "2027-11-30")).toBe(12);
    expect(monthsOf("2026-12-01", "2027-11-29")).toBe(11);
    expect(monthsOf("2026-01-31", "2026-02-27")).toBe(1);
    expect(monthsOf("2026-01-31", "2026-02-10")).toBe(0);
    expect(monthsOf("9999-01-01", "9999-12-30")).toBe(11);
  });

  test("a term falls into the last tier that it reaches", () => {
    expect(tierOf(TIERS, 11)?.percent).toBe("50");
    expect(tierOf([{ fromMonths: 6, percent: "50" }], 5)).toBeUndefined();
  });

  test("tiers rise, each with what the base wants", () => {
    expect(tierRefusal("monthRent", TIERS)).toBeUndefined();
    expect(tierRefusal("monthRent", [TIERS[1]!, TIERS[0]!])).toEqual({
      line: 1,
      key: "fromMonths",
      msg: "档位月数须递增",
    });
    expect(tierRefusal("fixed", TIERS)).toMatchObject({ line: 0, key: "fixed" });
    expect(tierRefusal("monthRent", [{ fromMonths: 0, fixed: 100 }])).toMatchObject({ key: "percent" });
  });
});

describe("what is taken back", () => {
  const of = { amount: 300_000, start: "2026-12-01", left: "2027-01-14" };

  test("after 45 of 90 days half of it", () =>
    expect(clawedBy({ clawDays: 90, clawMode: "proRata" }, of)).toEqual({
      amount: 150_000,
      explain: {
        rule: "90 天内退租按剩余天数比例扣回",
        inputs: "2026-12-01 起租，2027-01-14 退租，住满 45 天",
        formula: "3,000.00 × (90 - 45) ÷ 90 = 1,500.00",
      },
    }));

  test("all of it where the rule says so, nothing once the days are over", () => {
    expect(clawedBy({ clawDays: 90, clawMode: "all" }, of)?.amount).toBe(300_000);
    expect(clawedBy({ clawDays: 45, clawMode: "all" }, of)).toBeUndefined();
    expect(clawedBy({ clawDays: 0, clawMode: "all" }, of)).toBeUndefined();
  });

  test("whoever never moved in gives all of it back", () =>
    expect(clawedBy({ clawDays: 90, clawMode: "proRata" }, { ...of, left: "2026-11-20" })?.amount).toBe(
      300_000,
    ));
});
