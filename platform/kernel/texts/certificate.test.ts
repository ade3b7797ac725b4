import fc from "fast-check";
import { expect, test } from "vitest";
import {
  birthdayOf,
  canonicalNumber,
  certificateOf,
  creditCheckCharacter,
  creditCode,
  genderOf,
  idCard,
  idCheckDigit,
  taxNumber,
} from "./certificate.ts";

/** The specimen of the standard itself. */
const STANDARD = "11010519491231002X";

test("an ID card of 18 places carries its check digit", () => {
  for (const value of [STANDARD, "11010519491231002x", "440524188001010014"])
    expect(idCard(value), value).toBeUndefined();
  for (const value of [
    "110105194912310021",
    "11010519491331002X",
    "11010519490230002X",
    "1101051949123100",
    "01010519491231002X",
    "",
    "abc",
  ])
    expect(idCard(value), value).toBe("身份证号格式不正确");
});

test("an ID card of 15 places has a real birthday", () => {
  expect(idCard("110105491231002")).toBeUndefined();
  expect(birthdayOf("110105491231002")).toBe("1949-12-31");
  expect(genderOf("110105491231003")).toBe("male");
  expect(idCard("110105491331002")).toBe("身份证号格式不正确");
});

test("gender and birthday come out of the number", () => {
  expect(birthdayOf(STANDARD)).toBe("1949-12-31");
  expect(genderOf(STANDARD)).toBe("female");
  const first17 = "33010620000229123";
  expect(birthdayOf(first17 + idCheckDigit(first17))).toBe("2000-02-29");
  expect(genderOf(first17 + idCheckDigit(first17))).toBe("male");
  expect(genderOf("110105194912310021")).toBeUndefined();
});

test("other certificates have 6 to 18 letters and digits", () => {
  const passport = certificateOf("passport");
  for (const value of ["E12345678", "123456", "A".repeat(18)]) expect(passport(value)).toBeUndefined();
  for (const value of ["12345", "A".repeat(19), "E-123456", "证12345", ""])
    expect(passport(value)).toBe("证件号格式不正确");
  expect(certificateOf("idCard")("E12345678")).toBe("身份证号格式不正确");
});

test("a unified social credit code carries its check character", () => {
  for (const value of ["91350100M000100Y43", "91350100m000100y43"])
    expect(creditCode(value), value).toBeUndefined();
  for (const value of [
    "91350100M000100Y42",
    "91350100M000100Y4",
    "9135010OM000100Y43",
    "91350100I000100Y43",
    "",
  ])
    expect(creditCode(value), value).toBe("统一社会信用代码格式不正确");
  expect(canonicalNumber(" 91350100m000100y43 ")).toBe("91350100M000100Y43");
});

test("a company's tax number is a credit code or an older number", () => {
  expect(taxNumber("91350100M000100Y43")).toBeUndefined();
  expect(taxNumber("330106123456789")).toBeUndefined();
  for (const value of ["91350100M000100Y42", "12345678901234", "3301061234567-9"])
    expect(taxNumber(value)).toBe("税号格式不正确");
});

test("one wrong character is always noticed", () => {
  const alphabet = "0123456789ABCDEFGHJKLMNPQRTUWXY";
  const character = fc.constantFrom(...alphabet);
  fc.assert(
    fc.property(
      fc.array(character, { minLength: 9, maxLength: 9 }),
      fc.integer({ min: 0, max: 16 }),
      character,
      (body, at, other) => {
        const first17 = `91330106${body.join("")}`;
        const right = first17 + creditCheckCharacter(first17);
        expect(creditCode(right)).toBeUndefined();
        const wrong = right.slice(0, at) + other + right.slice(at + 1);
        if (wrong !== right) expect(creditCode(wrong)).toBeDefined();
      },
    ),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 0, max: 16 }),
      fc.integer({ min: 0, max: 9 }),
      (seq, at, digit) => {
        const first17 = `33010619900101${String(seq).padStart(3, "0")}`;
        const right = first17 + idCheckDigit(first17);
        const wrong = right.slice(0, at) + digit + right.slice(at + 1);
        expect(idCard(right)).toBeUndefined();
        if (wrong !== right) expect(idCard(wrong)).toBeDefined();
      },
    ),
  );
});
