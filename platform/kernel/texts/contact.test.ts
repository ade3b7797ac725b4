import { expect, test } from "vitest";
import { TEXTS } from "../../checks/specification/texts.ts";
import {
  bankCard,
  contactMobile,
  contactName,
  differentMobile,
  email,
  imageCode,
  isMobile,
  mobile,
  mobileOf,
  mobileOrLandline,
  personName,
  smsCode,
} from "./contact.ts";

const WRONG_MOBILES = [
  "",
  "1380013800",
  "138001380000",
  "12800138000",
  "23800138000",
  "138 0013 8000",
  "１３８００１３８０００",
];

test("a Chinese mobile is 1, then 3 to 9, then nine digits", () => {
  for (const value of ["13800138000", "19912345678"]) {
    expect(mobile(value)).toBeUndefined();
    expect(contactMobile(value)).toBeUndefined();
    expect(isMobile(value)).toBe(true);
  }
  for (const value of WRONG_MOBILES) {
    expect(mobile(value)).toBe(TEXTS["phone.invalid"][0]);
    expect(contactMobile(value)).toBe(TEXTS["mobile.invalid"][0]);
  }
});

test("a mobile of another country has 5 to 15 digits", () => {
  expect(mobileOf("+852")("91234567")).toBeUndefined();
  expect(mobileOf("+852")("1234")).toBe("手机格式不正确！");
  expect(mobileOf("+86")("91234567")).toBe("手机格式不正确！");
});

test("a mobile or a landline", () => {
  for (const value of [
    "13800138000",
    "0571-88888888",
    "057188888888",
    "010-6888888",
    "88888888",
    "0571-88888888-801",
    "400-820-8820",
    "4008208820",
  ])
    expect(mobileOrLandline(value), value).toBeUndefined();
  for (const value of [
    "",
    "12800138000",
    "571-88888888",
    "0571-08888888",
    "888888",
    "0571--88888888",
    "电话",
  ])
    expect(mobileOrLandline(value), value).toBe(TEXTS["phoneOrLandline.invalid"][0]);
});

test("a new mobile differs from the old one, and the codes are asked for", () => {
  expect(differentMobile("13800138000")("13800138000")).toBe(TEXTS["phone.same"][0]);
  expect(differentMobile("13800138000")("13800138001")).toBeUndefined();
  expect(imageCode("")).toBe(TEXTS["imageCode.required"][0]);
  expect(smsCode(" ")).toBe(TEXTS["captcha.required"][0]);
  expect(smsCode("123456")).toBeUndefined();
});

test("a contact's name is letters or Chinese only", () => {
  for (const value of ["张三", "Anna", "𠮷田", "李A"]) expect(contactName(value)).toBeUndefined();
  expect(contactName("")).toBe("请输入联系人姓名");
  for (const value of ["张3", "张 三", "张三!", "阿里·木"])
    expect(contactName(value)).toBe("姓名只能包含中文和字母");
});

test("a renter's name may hold inner blanks and the middle dot", () => {
  for (const value of ["张三", "阿卜杜拉·买买提", "Anna Maria Schmidt"])
    expect(personName(value)).toBeUndefined();
  expect(personName("张")).toBe("姓名长度为2到30个字");
  for (const value of [" 张三", "张三·", "张3三", "Anna  Maria"])
    expect(personName(value)).toBe("姓名只能包含中文、字母、中间的空格和·");
});

test("e-mail addresses", () => {
  for (const value of ["a@b.cn", "zhou.min+lease@mail.example.com"]) expect(email(value)).toBeUndefined();
  for (const value of [
    "",
    "a@b",
    "a b@c.cn",
    "@b.cn",
    "a@@b.cn",
    ".a@b.cn",
    "a@-b.cn",
    `${"a".repeat(250)}@b.cn`,
  ])
    expect(email(value), value).toBe("邮箱格式不正确");
});

test("a long hostile address is judged at once", () => {
  const start = performance.now();
  email(`${"a.".repeat(20_000)}@`);
  email(`a@${"b-".repeat(120)}`);
  expect(performance.now() - start).toBeLessThan(100);
});

test("bank cards have 6 to 30 digits and hyphens", () => {
  for (const value of ["622212", "6222-0200-1111-2222-333", "1".repeat(30)])
    expect(bankCard(value)).toBeUndefined();
  for (const value of ["", "62221", "1".repeat(31), "------", "6222 0200", "6222a0200"])
    expect(bankCard(value)).toBe("银行卡号格式不正确");
});
