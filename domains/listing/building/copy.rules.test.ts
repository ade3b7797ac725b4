import { expect, test } from "vitest";
import { namedBy, patternFor } from "./copy.rules.ts";

test("a pattern names each copy by its own place, and what a place lacks leaves no gap", () => {
  expect(namedBy("{名称} {楼层}", "走廊", { building: "3栋", floor: "4F" })).toBe("走廊 4F");
  expect(namedBy("{楼栋}{名称} {楼层}", "大堂", { building: "3栋", floor: "" })).toBe("3栋大堂");
});

test("a name that ends with its own floor gets the copy's floor in its place", () => {
  expect(patternFor("走廊 3F", "3F")).toBe("走廊 {楼层}");
  expect(patternFor("走廊", "3F")).toBe("{名称} {楼层}");
  expect(patternFor("大堂", "")).toBe("{名称} {楼层}");
});
