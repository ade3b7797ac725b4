import fc from "fast-check";
import { expect, test } from "vitest";
import { shownValue, typeableValue, typedValue, valueRefusal } from "./figure.rules.ts";

test("what is typed or pasted becomes a share or fen, or says what is wrong", () => {
  expect(typedValue("occupancyRate", "96")).toEqual({ value: 0.96 });
  expect(typedValue("occupancyRate", " 96.55% ")).toEqual({ value: 0.9655 });
  expect(typedValue("billed", "294,000.00")).toEqual({ value: 29_400_000 });
  expect(typedValue("billed", "")).toEqual({ value: null });
  expect(typedValue("occupancyRate", "abc")).toEqual({ msg: "请输入0到100之间的数" });
  expect(typedValue("occupancyRate", "100.01")).toEqual({ msg: "请输入0到100之间的数" });
  expect(typedValue("billed", "1.234")).toEqual({ msg: "金额格式不正确，最多两位小数" });
  expect(typedValue("billed", "100000000")).toEqual({ msg: "金额过大" });
  expect(valueRefusal("renewalRate", 0.12345)).toBe("请输入0到100之间的数");
});

test("what is shown can be typed again", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: 0, max: 9_999_999_999 }),
      (rate, fen) => {
        expect(typedValue("occupancyRate", typeableValue("occupancyRate", rate / 10_000))).toEqual({
          value: rate / 10_000,
        });
        expect(typedValue("billed", typeableValue("billed", fen))).toEqual({ value: fen });
      },
    ),
  );
  expect(shownValue("occupancyRate", 0.96)).toBe("96.00%");
});
