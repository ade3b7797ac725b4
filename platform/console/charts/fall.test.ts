import { expect, test } from "vitest";
import { fallOf } from "./fall.ts";

const ends = (bars: ReturnType<typeof fallOf>) =>
  bars.map((b) => [b.title, Math.round(b.left), Math.round(b.left + b.width), b.look]);

test("each bar begins where the one before ended, and the last is what is left", () => {
  const lines = [
    { title: "押金", amount: 400 },
    { title: "未用租金", amount: 600 },
    { title: "违约金", amount: -700 },
  ];
  expect(ends(fallOf(lines, { title: "应退", amount: 300, at: 300 }))).toEqual([
    ["押金", 0, 40, "up"],
    ["未用租金", 40, 100, "up"],
    ["违约金", 30, 100, "down"],
    ["应退", 0, 30, "end"],
  ]);
});

test("what is still owed lies left of nothing", () => {
  const lines = [
    { title: "押金", amount: 100 },
    { title: "欠租金", amount: -400 },
  ];
  expect(ends(fallOf(lines, { title: "应收", amount: 300, at: -300 }))).toEqual([
    ["押金", 75, 100, "up"],
    ["欠租金", 0, 100, "down"],
    ["应收", 0, 75, "end"],
  ]);
});

test("what was there before gives the bars their place and no width", () => {
  const lines = [
    { title: "收款", amount: 60 },
    { title: "退款", amount: -20 },
  ];
  expect(ends(fallOf(lines, { title: "期末资金", amount: 1_040, at: 1_040 }, 1_000))).toEqual([
    ["收款", 0, 100, "up"],
    ["退款", 67, 100, "down"],
    ["期末资金", 0, 67, "end"],
  ]);
});
