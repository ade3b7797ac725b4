import { expect, test } from "vitest";
import { z } from "zod";
import { TEXTS } from "../checks/specification/texts.ts";
import { contactMobile } from "./texts/contact.ts";
import { checked, metaOf, seenRecords } from "./field.ts";
import {
  all,
  check,
  code,
  filled,
  isEmpty,
  optional,
  plainSerialNumber,
  serialNumber,
} from "./validators.ts";

test("nothing, and the words null and undefined, count as empty; 0 and blanks do not", () => {
  for (const value of [null, undefined, "", "null", "undefined"]) expect(isEmpty(value)).toBe(true);
  for (const value of [0, false, " ", "0", "空"]) expect(isEmpty(value)).toBe(false);
});

test("blank text is refused where something must be typed", () => {
  for (const value of ["", "  ", "　", "null", "undefined"]) expect(filled(value)).toBe(TEXTS.nonEmpty[0]);
  expect(filled(" a ")).toBeUndefined();
});

test("serial numbers and codes", () => {
  expect(serialNumber("AB_12-x")).toBeUndefined();
  for (const value of ["", "AB 12", "表01", "a.b"])
    expect(serialNumber(value)).toBe("仅支持字母、数字、下划线和中划线");
  expect(plainSerialNumber("AB12")).toBeUndefined();
  expect(plainSerialNumber("AB-12")).toBe("仅支持字母和数字");
  for (const value of ["abc123", "1a2b3c4d5e6f7g8h9i0j"]) expect(code(value)).toBeUndefined();
  for (const value of ["abc12", "abcdef", "123456", "abc_123", "1a2b3c4d5e6f7g8h9i0jk", ""])
    expect(code(value)).toBe("请输入6-20位字母和数字组合");
});

test("of several sentences the first is said, and an optional field may stay empty", () => {
  const both = all(filled, code);
  expect(both("")).toBe("输入不能位全空");
  expect(both("abc")).toBe("请输入6-20位字母和数字组合");
  expect(optional(code)("")).toBeUndefined();
  expect(optional(code)("abc")).toBe("请输入6-20位字母和数字组合");
});

test("a schema says the same sentence as the validator", () => {
  const schema = z.object({ phone: z.string().superRefine(check(contactMobile)) });
  const answer = schema.safeParse({ phone: "12" });
  expect(answer.error?.issues).toMatchObject([{ path: ["phone"], message: "手机格式不正确！" }]);
  expect(schema.parse({ phone: "13800138000" })).toEqual({ phone: "13800138000" });
});

test("a labelled field trims, names itself when missing and keeps its label", () => {
  const phone = checked("手机", contactMobile, { kind: "phone", max: 11 });
  expect(phone.parse(" 13800138000 ")).toBe("13800138000");
  expect(phone.safeParse(undefined).error?.issues[0]?.message).toBe("请输入手机");
  expect(metaOf(phone.optional())).toMatchObject({ title: "手机", kind: "phone", max: 11 });
  expect(metaOf(z.array(z.number()).meta({ title: "门店" }).optional())).toMatchObject({ title: "门店" });
  expect(checked("企业名称", filled, { keepSpaces: true }).parse(" a ")).toBe(" a ");
});

test("records of an act: some, each once, no more than may be", () => {
  const records = seenRecords("退款", "笔", 2);
  const said = (ids: number[]) =>
    records.safeParse(ids.map((id) => ({ id, version: 1 }))).error?.issues.map((issue) => issue.message);
  expect(said([1, 2])).toBeUndefined();
  expect(said([])).toEqual(["请选择退款"]);
  expect(said([1, 2, 3])).toEqual(["一次最多2笔"]);
  expect(said([2, 2])).toEqual(["同一退款不能重复选择"]);
});
