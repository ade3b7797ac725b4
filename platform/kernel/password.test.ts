import { expect, test } from "vitest";
import { TEXTS } from "../checks/specification/texts.ts";
import { password, passwordOrUnchanged, passwordStrength, repeats } from "./password.ts";

test("a password has 6 to 20 characters of at least two kinds", () => {
  for (const value of ["abc123", "abc!!!", "123!!!", "Aa1!Aa1!Aa1!Aa1!Aa1!"])
    expect(password(value)).toBeUndefined();
  expect(password("")).toBe(TEXTS["password.required"][0]);
  for (const value of ["a1", "abc12"]) expect(password(value)).toBe(TEXTS["password.min"][0]);
  expect(password("Aa1!Aa1!Aa1!Aa1!Aa1!A")).toBe(TEXTS["password.max"][0]);
  for (const value of ["abcdef", "ABCdef", "123456", "!!!!!!"])
    expect(password(value)).toBe(TEXTS["password.kinds"][0]);
});

test("blanks and Chinese have no place in it", () => {
  for (const value of ["abc 123", "abc123密", "abc123！", "abc123\t"])
    expect(password(value)).toBe("密码不能包含空格和中文");
});

test("the meter counts kinds", () => {
  expect(["", "abc", "12", "!", "a1", "a!", "1!", "a1!", "a 1密"].map(passwordStrength)).toEqual([
    0, 1, 1, 1, 2, 2, 2, 3, 2,
  ]);
});

test("the second entry repeats the first, and an edit form may leave it out", () => {
  expect(repeats("abc123")("abc124")).toBe(TEXTS["password.mismatch"][0]);
  expect(repeats("abc123")("abc123")).toBeUndefined();
  expect(passwordOrUnchanged("")).toBeUndefined();
  expect(passwordOrUnchanged("abc")).toBe(TEXTS["password.min"][0]);
});
