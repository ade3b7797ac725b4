import { expect, test } from "vitest";
import { areaFeeErrors, areaFeeText, feeByArea, pricedByArea, shopArea } from "./area-fee.rules.ts";
import type { ContractForm } from "./terms.contract.ts";

const facts = (...areas: (string | null)[]) =>
  areas.map((area, i) => ({ roomId: i + 1, kind: i < 2 ? "shop" : "storage", area }));
const rooms = [1, 2, 3].map((roomId) => ({ roomId, monthlyRent: 0 }));
const FEE = { feeId: 9, name: "推广费", kind: "recurring" as const, unitPrice: "0.5", amount: 6025 };
const wrong = (fee: object, form: Partial<ContractForm> = {}, of = facts("80.25", "40.25", "15.00")) =>
  areaFeeErrors({ kind: "merchant", rooms, fees: [{ ...FEE, ...fee }], ...form }, of).map(
    (e) => `${e.field} ${e.msg}`,
  );

test("the area is that of the shops together, store rooms apart; without one there is none", () => {
  expect(shopArea(rooms, facts("80.25", "40.25", "15.00"))).toBe("120.50");
  expect(shopArea(rooms.slice(0, 1), facts("80.25", "40.25"))).toBe("80.25");
  for (const area of [null, "0.00"]) expect(shopArea(rooms, facts("80.25", area))).toBeUndefined();
  expect(shopArea([], facts("80.25"))).toBeUndefined();
});

test("price times area is rounded once, half up, and told as it is worked out", () => {
  expect(feeByArea("0.5", "120.50")).toBe(6025);
  expect(feeByArea("0.0001", "50.00")).toBe(1);
  expect(feeByArea("0.0001", "49.99")).toBe(0);
  expect(feeByArea("1.2345", "33.33")).toBe(4115);
  expect(areaFeeText(FEE, "120.50")).toBe("0.5 元/㎡·月 × 120.50 ㎡ = 60.25");
});

test("amounts follow the area; what is half typed, or has no price, stays", () => {
  const fees = [
    { ...FEE, amount: 1 },
    { ...FEE, unitPrice: "0." },
    { ...FEE, unitPrice: null, amount: 7 },
  ];
  expect(pricedByArea(fees, "120.50").map((fee) => fee.amount)).toEqual([6025, 6025, 7]);
  expect(pricedByArea([FEE], "120.50")).toEqual([FEE]);
  expect(pricedByArea(fees, undefined)).toBe(fees);
});

test("only what recurs of shops is priced by area, and its amount is what the area makes of it", () => {
  expect(wrong({})).toEqual([]);
  expect(wrong({ unitPrice: null, amount: 1 })).toEqual([]);
  for (const amount of [6024, 6026])
    expect(wrong({ amount })).toEqual(["fees.0.amount 金额应为 0.5 元/㎡·月 × 120.50 ㎡ = 60.25"]);
  expect(wrong({}, { kind: "company" })).toEqual(["fees.0.unitPrice 只有商户合同的费用可以按面积计价"]);
  expect(wrong({ kind: "once" })).toEqual(["fees.0.unitPrice 按面积计价的费用按月计算，请选择周期费用"]);
  expect(wrong({ unitPrice: "1.23456" })).toEqual(["fees.0.unitPrice 请输入正确的单价（最多四位小数）"]);
  expect(wrong({}, {}, facts(null))).toEqual(["fees.0.unitPrice 铺位没有面积，不能按面积计价"]);
  const beyond = { unitPrice: "829875.5186", amount: 0 };
  expect(wrong({ ...beyond, amount: 9_999_999_999 })).toEqual([]);
  expect(wrong({ ...beyond, unitPrice: "829875.5187" })).toEqual([
    "fees.0.unitPrice 金额过大，不能超过99,999,999.99元",
  ]);
});
