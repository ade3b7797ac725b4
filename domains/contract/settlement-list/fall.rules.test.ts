import { expect, test } from "vitest";
import { fallOf } from "./fall.rules.ts";

const ends = (bars: ReturnType<typeof fallOf>) =>
  bars.map((b) => [b.title, Math.round(b.left), Math.round(b.left + b.width), b.look]);

test("each bar begins where the one before ended, and the last is what is left", () => {
  const lines = [
    { title: "押金", amount: 400 },
    { title: "未用租金", amount: 600 },
    { title: "违约金", amount: -700 },
  ];
  expect(ends(fallOf(lines, 300))).toEqual([
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
  expect(ends(fallOf(lines, -300))).toEqual([
    ["押金", 75, 100, "up"],
    ["欠租金", 0, 100, "down"],
    ["应收", 0, 75, "end"],
  ]);
});
