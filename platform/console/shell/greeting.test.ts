import { expect, test } from "vitest";
import { greeting } from "./greeting.ts";

test("by the hour", () => {
  expect([8, 9, 10, 11, 12, 13, 19, 20].map(greeting)).toEqual([
    "早上好",
    "上午好",
    "上午好",
    "上午好",
    "中午好",
    "中午好",
    "下午好",
    "晚上好",
  ]);
});
