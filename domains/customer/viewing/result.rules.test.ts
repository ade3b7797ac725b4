import { expect, test } from "vitest";
import { bestOf, resultsText } from "./viewing.rules.ts";

test("the room that was liked best speaks for the viewing", () => {
  expect(bestOf([{ result: "不合适" }, { result: "再考虑" }])).toBe("再考虑");
  expect(bestOf([{ result: "不合适" }, { result: "满意" }, { result: "再考虑" }])).toBe("满意");
  expect(bestOf([])).toBeUndefined();
});

test("each room is said with what was thought of it", () => {
  expect(
    resultsText([
      { name: "1201", result: "满意", feedback: "采光好" },
      { name: "1202", result: "不合适", feedback: "" },
    ]),
  ).toBe("1201 满意（采光好）、1202 不合适");
});
