import fc from "fast-check";
import { expect, test } from "vitest";
import { fromChinese, toChinese } from "./chinese.ts";

const PAIRS: [number, string][] = [
  [0, "零"],
  [7, "七"],
  [10, "十"],
  [12, "十二"],
  [20, "二十"],
  [105, "一百零五"],
  [110, "一百一十"],
  [1005, "一千零五"],
  [1050, "一千零五十"],
  [10_500, "一万零五百"],
  [20_300, "二万零三百"],
  [100_012, "十万零一十二"],
  [203_000, "二十万三千"],
  [100_010_000, "一亿零一万"],
  [100_001_234, "一亿零一千二百三十四"],
  [-3, "负三"],
];

test("whole numbers are written and read in Chinese", () => {
  for (const [n, text] of PAIRS) {
    expect(toChinese(n)).toBe(text);
    expect(fromChinese(text)).toBe(n);
  }
});

test("banker's characters are read too", () => {
  expect(fromChinese("壹佰零伍")).toBe(105);
  expect(fromChinese("壹拾贰")).toBe(12);
  expect(fromChinese("叁仟")).toBe(3000);
});

test("what is no number is not read", () => {
  for (const text of ["", "abc", "一二", "十百", "一百五", "零五", "万", "12"])
    expect(fromChinese(text), text).toBeUndefined();
  expect(() => toChinese(1.5)).toThrow(RangeError);
  expect(() => toChinese(1e12)).toThrow(RangeError);
});

test("writing and reading agree", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (n) => {
      expect(fromChinese(toChinese(n))).toBe(n);
    }),
  );
});
