import { expect, test } from "vitest";
import { CONSTANTS, TEXTS } from "../checks/specification/texts.ts";
import * as n from "./numbers.ts";
import type { Validator } from "./validators.ts";

const accepts = (validator: Validator, ...values: string[]) =>
  values.forEach((value) => expect(validator(value), value).toBeUndefined());
const refuses = (validator: Validator, sentence: string, ...values: string[]) =>
  values.forEach((value) => expect(validator(value), value).toBe(sentence));

test("the four families of integers", () => {
  accepts(n.integer, "0", "-5", "123");
  refuses(n.integer, "请输入整数", "", "1.0", "-0", "007", "1e3", "９", "99999999999999999999");
  accepts(n.nonZeroInteger, "-5", "1");
  refuses(n.nonZeroInteger, "请输入非零整数", "0", "", "a");
  accepts(n.positiveInteger, "1", "100");
  refuses(n.positiveInteger, "请输入正整数", "0", "-1", "1.5");
  accepts(n.nonNegativeInteger, "0", "7");
  refuses(n.nonNegativeInteger, "请输入非负整数", "-1", "");
});

test("the ranges of integers hold at both ends", () => {
  const ranges = {
    10: n.upTo10,
    50: n.upTo50,
    60: n.upTo60,
    99: n.upTo99,
    100: n.upTo100,
    365: n.upTo365,
    1000: n.upTo1000,
  };
  for (const [max, validator] of Object.entries(ranges)) {
    accepts(validator, "1", max);
    refuses(validator, `请输入1到${max}之间的整数`, "0", String(Number(max) + 1), "1.5", "", "-1");
  }
});

test("tenths run from 0.1 to 9.9", () => {
  accepts(n.tenths, "0.1", "1", "9.9");
  refuses(n.tenths, "请输入0.1到9.9之间的数（最多一位小数）", "0", "0.0", "10", "0.15", "", ".5", "9.");
});

test("amounts have up to two decimals and an upper bound", () => {
  accepts(n.amountText, "0", "12", "12.5", "12.50", CONSTANTS["amount.max"][0]);
  refuses(
    n.amountText,
    "请输入正确的金额（最多两位小数）",
    "",
    "12.345",
    "-1",
    "01",
    ".5",
    "5.",
    "1,000",
    "abc",
    "1e5",
  );
  refuses(n.amountText, TEXTS["amount.tooLarge"][0], "100000000", "99999999999");
});

test("amounts of one and four decimals, signed and positive ones", () => {
  accepts(n.amountText1, "1.5");
  refuses(n.amountText1, "请输入正确的金额（最多一位小数）", "1.55");
  accepts(n.amountText4, "1.2345", "99999999.99");
  refuses(n.amountText4, "请输入正确的金额（最多四位小数）", "1.23456");
  refuses(n.amountText4, "金额过大", "99999999.9901");
  accepts(n.signedAmountText, "-12.34", "12.34", "0");
  refuses(n.signedAmountText, "请输入正确的金额（最多两位小数）", "--1", "+1");
  refuses(n.signedAmountText, "金额过大", "-100000000");
  accepts(n.positiveAmountText, "0.01");
  refuses(n.positiveAmountText, "金额必须大于0", "0", "0.00", "-5");
});

test("areas run from 0.01 to 999999.99", () => {
  accepts(n.area, "0.01", "35.5", "999999.99");
  refuses(n.area, "面积格式不正确", "0", "0.00", "1000000", "1.234", "");
});
