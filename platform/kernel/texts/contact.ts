import { all, lengthBetween, matches, required } from "../validators.ts";
import type { Validator } from "../validators.ts";

const MOBILE = /^1[3-9]\d{9}$/;
/** Area code and 7 or 8 digits, with or without hyphen and extension; or a 400/800 service number. */
const LANDLINE = /^((0\d{2,3}-?)?[2-9]\d{6,7}(-\d{1,6})?|[48]00-?\d{3}-?\d{4})$/;

export const isMobile = (value: string): boolean => MOBILE.test(value);

/**
 * A number in full international form, +8613905710002: what has no country is a mainland mobile, and what has another one
 * keeps it. Nothing for what is no such number.
 */
export function e164(text: string): string | undefined {
  const digits = text
    .trim()
    .replace(/[\s().-]/g, "")
    .replace(/^00/, "+");
  const full = isMobile(digits) ? `+86${digits}` : digits;
  return /^\+[1-9]\d{6,14}$/.test(full) ? full : undefined;
}

/** The number that receives codes: sign in, register, recover, change, signing of contracts. */
export const mobile = matches(MOBILE, "请输入正确的手机号");
/** The number of a contact or customer record. */
export const contactMobile = matches(MOBILE, "手机格式不正确！");
/** Outside +86 numbers only have a length. */
export const foreignMobile = matches(/^\d{5,15}$/, "手机格式不正确！");
export const mobileOf = (area: string): Validator => (area === "+86" ? contactMobile : foreignMobile);
export const mobileOrLandline: Validator = (value) =>
  MOBILE.test(value) || LANDLINE.test(value) ? undefined : "手机号或座机格式不正确";
export const differentMobile =
  (old: string): Validator =>
  (value) =>
    value === old ? "手机号和原手机号一致，请重新输入" : undefined;

export const imageCode = required("请输入图形验证码");
export const smsCode = required("请输入短信验证码");

/** A contact: letters and Chinese characters only. */
export const contactName = all(
  required("请输入联系人姓名"),
  matches(/^[A-Za-z\p{Script=Han}]+$/u, "姓名只能包含中文和字母"),
);
/** A person as the certificate writes it: 阿卜杜拉·买买提, Anna Maria Schmidt. */
export const personName = all(
  lengthBetween(2, 30, "姓名长度为2到30个字"),
  matches(
    /^[A-Za-z\p{Script=Han}]+([ ·][A-Za-z\p{Script=Han}]+)*$/u,
    "姓名只能包含中文、字母、中间的空格和·",
  ),
);

const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;
export const email: Validator = (value) =>
  value.length <= 254 && EMAIL.test(value) ? undefined : "邮箱格式不正确";

/** 6 to 30 digits and hyphens, a digit at both ends. */
export const bankCard = matches(/^\d[\d-]{4,28}\d$/, "银行卡号格式不正确");
