import { expect, test } from "vitest";
import { BUILT_IN, isCharged } from "./subject.rules.ts";

test("money pays what is held first, then rent, fees, meters and what went wrong, late fees last", () => {
  const order = BUILT_IN.toSorted((a, b) => a.priority - b.priority);
  expect(order.map((subject) => `${subject.priority} ${subject.name}`)).toEqual([
    "10 押金",
    "11 钥匙押金",
    "12 定金",
    "20 租金",
    "30 物业费",
    "32 服务费",
    "34 保洁费",
    "36 网费",
    "40 电费",
    "41 水费",
    "42 热水费",
    "50 违约金",
    "52 赔偿",
    "60 其他收入",
    "90 滞纳金",
    "95 维修支出",
    "96 保洁支出",
    "97 办公支出",
    "98 佣金支出",
  ]);
});

test("a customer is charged no cost of the house and no late fee by hand", () => {
  expect(BUILT_IN.filter(({ kind }) => !isCharged(kind)).map(({ name }) => name)).toEqual([
    "滞纳金",
    "维修支出",
    "保洁支出",
    "办公支出",
    "佣金支出",
  ]);
});
