import { expect, test } from "vitest";
import { planErrors } from "./plan-errors.rules.ts";

const bill = (kind: "rent" | "deposit", ...amounts: number[]) =>
  ({ kind, title: "第1期租金", lines: amounts.map((amount) => ({ amount })) }) as never;

test("what no bill can hold is told where the terms make it", () => {
  expect(planErrors({ bills: [bill("rent", 9_999_999_999, -5)] })).toEqual([]);
  expect(planErrors({ bills: [bill("rent", 1), bill("rent", 9_999_999_999, 1, -5)] })).toEqual([
    {
      field: "cycleMonths",
      msg: "账单“第1期租金”合计 100,000,000.00 元，超过99,999,999.99元，请缩短付款周期或降低金额",
    },
  ]);
  expect(planErrors({ bills: [bill("deposit", 10_000_000_000)] })[0]!.field).toBe("deposit");
});
