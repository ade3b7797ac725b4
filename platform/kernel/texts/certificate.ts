import { isDay } from "../day.ts";
import type { Day } from "../day.ts";
import { matches } from "../validators.ts";
import type { Validator } from "../validators.ts";

/** What is stored and compared: without outer spaces, in capitals. The validators take either case. */
export const canonicalNumber = (value: string): string => value.trim().toUpperCase();

const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const ID_CHECKS = "10X98765432";

/** The check digit of an 18-place ID number by GB 11643 (ISO 7064, MOD 11-2), from its first 17 digits. */
export const idCheckDigit = (first17: string): string =>
  ID_CHECKS[ID_WEIGHTS.reduce((sum, weight, i) => sum + weight * Number(first17[i]), 0) % 11]!;

/** The birthday written in an ID number of 15 or 18 places; undefined when the number is wrong. */
export function birthdayOf(value: string): Day | undefined {
  const number = canonicalNumber(value);
  const long = /^[1-9]\d{5}(\d{4})(\d{2})(\d{2})\d{3}[\dX]$/.exec(number);
  if (long && idCheckDigit(number) !== number[17]) return undefined;
  const parts = long ?? /^[1-9]\d{5}(\d{2})(\d{2})(\d{2})\d{3}$/.exec(number);
  if (!parts) return undefined;
  const day = `${long ? "" : "19"}${parts[1]}-${parts[2]}-${parts[3]}`;
  return isDay(day) && day >= "1850" ? day : undefined;
}

/** The last place of the sequence is odd for men; undefined when the number is wrong. */
export function genderOf(value: string): "male" | "female" | undefined {
  if (!birthdayOf(value)) return undefined;
  const number = canonicalNumber(value);
  return Number(number[number.length === 18 ? 16 : 14]) % 2 ? "male" : "female";
}

export const idCard: Validator = (value) => (birthdayOf(value) ? undefined : "身份证号格式不正确");
/** Passports, permits and the rest. */
export const certificate = matches(/^[A-Za-z0-9]{6,18}$/, "证件号格式不正确");
export const certificateOf = (type: string): Validator => (type === "idCard" ? idCard : certificate);

const CREDIT_ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY";

/** The check character of a unified social credit code by GB 32100-2015, from its first 17 characters. */
export function creditCheckCharacter(first17: string): string {
  let sum = 0;
  let weight = 1;
  for (let i = 0; i < 17; i++) {
    sum += CREDIT_ALPHABET.indexOf(first17[i]!) * weight;
    weight = (weight * 3) % 31;
  }
  return CREDIT_ALPHABET[(31 - (sum % 31)) % 31]!;
}

/** Authority and kind, six digits of the region, nine places of the body, one check character. */
export const creditCode: Validator = (value) => {
  const number = canonicalNumber(value);
  return /^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(number) &&
    creditCheckCharacter(number) === number[17]
    ? undefined
    : "统一社会信用代码格式不正确";
};

/** Of a company on an invoice: a credit code, or one of the older numbers of 15 to 20 places. */
export const taxNumber: Validator = (value) => {
  const number = canonicalNumber(value);
  const right = number.length === 18 ? !creditCode(number) : /^[A-Z0-9]{15,20}$/.test(number);
  return right ? undefined : "税号格式不正确";
};
