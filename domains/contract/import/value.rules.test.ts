import { expect, test } from "vitest";
import { moneyOrNone } from "./owed.rules.ts";
import { dueRuleOf, payPlanOf, placeKey } from "./row.rules.ts";

test.each([
  ["押一付三", 3, "1"],
  ["押1付1", 1, "1"],
  ["押二付一", 1, "2"],
  ["押两付十二", 12, "2"],
  ["押 1 付 3", 3, "1"],
  ["押1.5付6", 6, "1.5"],
  ["押一个半月付三", 3, "1.5"],
  ["押半付一", 1, "0.5"],
  ["押半月付一", 1, "0.5"],
  ["免押付一", 1, "0"],
  ["押0付1个月", 1, "0"],
  ["押一半年付", 6, "1"],
  ["押一年付", 12, "1"],
  ["押一一次性付清", 0, "1"],
  ["押一 一次性付清", 0, "1"],
  ["季付", 3, "1"],
  ["押12付1", 1, "12"],
  ["押十二付一", 1, "12"],
])("%s is read", (typed, cycleMonths, depositMonths) => {
  expect(payPlanOf(typed)).toEqual({ value: { cycleMonths, depositMonths } });
});

test.each([
  ...["", "月结", "押一付五", "押付三", "押二十付一", "付三押一"],
  ...["押十二半付一", "押12.5付1", "押13付1", "押三一付一", "押一付二一"],
])("%s is no way of paying", (typed) => {
  expect(payPlanOf(typed).msg).toMatch(/^付款方式应为押X付Y/);
});

test("due rules as people write them", () => {
  expect(dueRuleOf("提前7天").value).toEqual({ rule: "advance", dueDays: 7 });
  expect(dueRuleOf("每月5号").value).toEqual({ rule: "fixedDay", dueDay: 5, dueMonthOffset: 0 });
  expect(dueRuleOf("上月25日").value).toEqual({ rule: "fixedDay", dueDay: 25, dueMonthOffset: -1 });
  expect(dueRuleOf("下月31日").value).toEqual({ rule: "fixedDay", dueDay: 31, dueMonthOffset: 1 });
  expect(dueRuleOf("当月1日").value).toEqual({ rule: "fixedDay", dueDay: 1, dueMonthOffset: 0 });
  expect(dueRuleOf("提前60天").value).toEqual({ rule: "advance", dueDays: 60 });
  expect(["计费期首日", "当日"].map((typed) => dueRuleOf(typed).value)).toEqual(
    Array(2).fill({ rule: "advance", dueDays: 0 }),
  );
  for (const typed of ["每月0日", "每月32日", "提前61天", "提前90天", "随便"])
    expect(dueRuleOf(typed).value).toBeUndefined();
});

test("amounts may be nothing but not less", () => {
  expect(["0", "￥1,200.50", "500"].map((t) => moneyOrNone(t).value)).toEqual([0, 120_050, 50_000]);
  expect(["-1", "1.234", "三百", "1e5"].map((t) => moneyOrNone(t).value)).toEqual(Array(4).fill(undefined));
  expect(moneyOrNone("99,999,999.99").value).toBe(9_999_999_999);
  expect(moneyOrNone("100000000").msg).toBe("金额过大");
});

test("the same place however its parts are separated", () => {
  const [first, ...rest] = ["3栋·1单元·1203·A", "3栋-1单元-1203-a", "3栋 1单元 1203 A", "3栋1单元1203A"].map(
    placeKey,
  );
  expect(rest).toEqual([first, first, first]);
});
