import fc from "fast-check";
import { expect, test } from "vitest";
import { type ActField, chosenProcess, conditionText, fits, processErrors } from "./condition.rules.ts";

const FIELDS: ActField[] = [
  { key: "amount", title: "金额", kind: "money" },
  { key: "percent", title: "调整比例", kind: "percent" },
  { key: "below", title: "低于底价", kind: "flag" },
];
const atLeast = (value: number) => [{ field: "amount", op: "gte" as const, value }];

test("the first process that fits is taken, and the default when none does", () => {
  const processes = [{ conditions: atLeast(100) }, { conditions: atLeast(50) }, { conditions: [] }];
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), (amount) => {
      const taken = processes.indexOf(chosenProcess(processes, { amount }));
      expect(taken).toBe(amount >= 100 ? 0 : amount >= 50 ? 1 : 2);
    }),
  );
});

test("all conditions must hold, and a field that is not there fits nothing", () => {
  const both = [...atLeast(100), { field: "percent", op: "lt" as const, value: 10 }];
  expect(fits(both, { amount: 100, percent: 9.99 })).toBe(true);
  expect(fits(both, { amount: 100, percent: 10 })).toBe(false);
  expect(fits(both, { amount: 100 })).toBe(false);
  expect(fits([{ field: "amount", op: "in", value: [1, 2] }], { amount: 2 })).toBe(true);
});

test("conditions read as people say them", () => {
  const all = [
    ...atLeast(100_000),
    { field: "percent", op: "gt" as const, value: 12.5 },
    { field: "below", op: "eq" as const, value: 1 },
  ];
  expect(conditionText(all, FIELDS)).toBe("金额 ≥ 1,000.00 元 且 调整比例 > 12.5% 且 低于底价 = 是");
  expect(conditionText([], FIELDS)).toBe("默认");
});

test("processes that cannot be told apart are refused, and so is a default that does not stand last", () => {
  const nodes = [{}];
  const one = { name: "大额", conditions: atLeast(100), nodes };
  const rest = { name: "默认流程", conditions: [], nodes: [] };
  expect(processErrors([one, rest], FIELDS)).toEqual([]);
  expect(processErrors([one, { ...one, name: "又大额" }, rest], FIELDS)).toEqual([
    { field: "processes.1.conditions", msg: "条件与流程 大额 相同" },
  ]);
  expect(processErrors([rest, one], FIELDS).map((e) => e.msg)).toEqual([
    "请设置条件",
    "请至少添加一个节点",
    "最后一个流程是默认流程，不能有条件",
  ]);
  expect(processErrors([{ ...one, conditions: [{ field: "x", op: "eq", value: 1 }] }, rest], FIELDS)).toEqual(
    [{ field: "processes.0.conditions", msg: "请选择条件字段" }],
  );
});
