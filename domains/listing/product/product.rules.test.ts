import fc from "fast-check";
import { expect, test } from "vitest";
import { payPlanText, planRent, plansWrong, undeletable } from "./product.rules.ts";

test("a plan takes its percent of the list price: 押一付十二 −5 % of 3,000.00 is 2,850.00", () => {
  expect(payPlanText({ depositMonths: 1, payMonths: 12 })).toBe("押一付十二");
  expect(payPlanText({ depositMonths: 0, payMonths: 0 })).toBe("押零付全期");
  expect(planRent(300_000, -5)).toBe(285_000);
  expect(planRent(298_550, 3.3)).toBe(308_402);
  // 0.5 fen goes up
  expect(planRent(50, 1)).toBe(51);
});

test("is exact to half a fen for any price and percent of two decimals", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9_999_999_999 }),
      fc.integer({ min: -5000, max: 5000 }),
      (fen, hundredths) => {
        const off =
          BigInt(planRent(fen, hundredths / 100)) * 10_000n - BigInt(fen) * BigInt(10_000 + hundredths);
        return off > -5_000n && off <= 5_000n;
      },
    ),
  );
});

test("exactly one plan is the default, none is there twice", () => {
  const plan = (payMonths: number, usual: boolean) => ({
    depositMonths: 1,
    payMonths,
    adjustPercent: 0,
    default: usual,
  });
  expect(plansWrong([plan(1, true), plan(3, false)])).toBeUndefined();
  expect(plansWrong([plan(1, false)])).toBe("请选择一个默认付款方式");
  expect(plansWrong([plan(1, true), plan(3, true)])).toBe("请选择一个默认付款方式");
  expect(plansWrong([plan(1, true), plan(1, false)])).toBe("付款方式“押一付一”重复");
  expect(undeletable(12)).toBe("该产品下有 12 间房，不能删除");
});
