import { expect, test } from "vitest";
import { changesOf, placeOf } from "./changes.rules.ts";

test("only what differs is shown, amounts in yuan, lists and yes or no in words", () => {
  const before = { name: "滨江店", amount: 123_456, villageIds: [1, 2], allVillages: false, remark: "" };
  const after = {
    name: "滨江店",
    amount: 100,
    villageIds: [1],
    allVillages: true,
    remark: null,
    odd: { a: 1 },
  };
  expect(changesOf(before, after)).toEqual([
    { field: "金额", before: "1234.56 元", after: "1.00 元" },
    { field: "门店", before: "1、2", after: "1" },
    { field: "全部门店", before: "否", after: "是" },
    { field: "odd", before: "—", after: '{"a":1}' },
  ]);
});

test("a new record has no before, a removed one no after, and anything else is shown as it is", () => {
  expect(changesOf(null, { state: "open" })).toEqual([{ field: "状态", before: "—", after: "open" }]);
  expect(changesOf({ state: "open" }, undefined)).toEqual([{ field: "状态", before: "open", after: "—" }]);
  expect(changesOf("甲", "乙")).toEqual([{ field: "内容", before: "甲", after: "乙" }]);
  expect(changesOf(null, null)).toEqual([]);
});

test("a contract opens on the page of its kind, and nowhere when it is gone", () => {
  const opened = ["renterContract", "companyContract", "merchantContract", "contract", null];
  expect(opened.map((kind) => placeOf(kind, 7)?.[0])).toEqual([
    "/contract/RenterContractPage",
    "/contract/CompanyContractPage",
    "/contract/merchantContractTable",
    undefined,
    undefined,
  ]);
});
