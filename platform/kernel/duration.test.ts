import { expect, test } from "vitest";
import { durationText, hoursText } from "./duration.ts";

test("a duration is said in two units at most, and never with a nought", () => {
  expect([0, 0.4, 45, 60, 90, 3600, 3601, 5400, 86_400, 97_200, 90_000_000].map(durationText)).toEqual([
    "不到 1 秒",
    "不到 1 秒",
    "45 秒",
    "1 分钟",
    "1 分钟 30 秒",
    "1 小时",
    "1 小时",
    "1 小时 30 分钟",
    "1 天",
    "1 天 3 小时",
    "1041 天 16 小时",
  ]);
  expect([0, 1, 24, 51].map(hoursText)).toEqual(["不到 1 小时", "1 小时", "1 天", "2 天 3 小时"]);
});
