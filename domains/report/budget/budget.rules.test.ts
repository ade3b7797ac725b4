import fc from "fast-check";
import { expect, test } from "vitest";
import { BUDGET_MOVES, monthsText, raised, spreadOver } from "./budget.rules.ts";

test("100,000.00 over the year: 8,333.33 eight times and 8,333.34 four times", () => {
  const parts = spreadOver(10_000_000, "even", [])!;
  expect(parts.filter((v) => v === 833_333)).toHaveLength(8);
  expect(parts.filter((v) => v === 833_334)).toHaveLength(4);
});

test("law: a year that is laid over its months adds up to itself, and follows what each month was", () => {
  const before = fc.array(fc.option(fc.integer({ min: -100, max: 1e9 }), { nil: null }), {
    minLength: 12,
    maxLength: 12,
  });
  fc.assert(
    fc.property(fc.integer({ min: -9_999_999_999, max: 9_999_999_999 }), before, (whole, was) => {
      const parts = spreadOver(whole, "like", was);
      if (!was.some((v) => v !== null && v > 0)) return expect(parts).toBeUndefined();
      expect(parts!.reduce((a, b) => a + b, 0)).toBe(whole);
      for (const [i, v] of was.entries()) if (v === null || v <= 0) expect(parts![i]! + 0).toBe(0);
    }),
  );
});

test("a month of last year that is not over weighs as the others do on average", () => {
  const was = [100, 300, null, ...Array.from({ length: 6 }, () => 0), undefined, undefined, undefined];
  // 400 over nine months, so much is what each of the three weighs
  expect(spreadOver(9 * 400 + 3 * 400, "like", was)).toEqual([900, 2700, 0, 0, 0, 0, 0, 0, 0, 400, 400, 400]);
  expect(
    spreadOver(
      100,
      "like",
      Array.from({ length: 12 }, () => undefined),
    ),
  ).toBeUndefined();
});

test("some percent more, to the fen", () => {
  expect([raised(1_114_574, 1000), raised(100, -5000), raised(333, 150), raised(0, 1000)]).toEqual([
    1_226_031, 50, 338, 0,
  ]);
});

test("months are called as people do", () => {
  expect([monthsText([3]), monthsText([1, 2, 3, 7]), monthsText([5, 6, 12])]).toEqual([
    "3月",
    "1-3月、7月",
    "5-6月、12月",
  ]);
});

test("what was handed in is neither submitted again nor deleted; a second draft is refused", () => {
  const of = (status: "draft" | "approving" | "inForce" | "superseded", openId: number | null = null) => ({
    status,
    openId,
  });
  expect(BUDGET_MOVES.next("submit", of("draft"))).toBe("approving");
  expect(BUDGET_MOVES.refusal("submit", of("inForce"))).toBe("当前状态为“生效”，不能提交审批");
  expect(BUDGET_MOVES.refusal("delete", of("approving"))).toBe("当前状态为“审批中”，不能删除");
  expect(BUDGET_MOVES.refusal("renew", of("inForce", 5))).toBe("该门店该年度已有草稿版本");
  expect(BUDGET_MOVES.refusal("withdraw", of("draft"))).toBeDefined();
  expect(BUDGET_MOVES.next("supersede", of("inForce"))).toBe("superseded");
});
