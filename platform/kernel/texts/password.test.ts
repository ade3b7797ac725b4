import { beforeEach, expect, test } from "vitest";
import { TEXTS } from "../../checks/specification/texts.ts";
import {
  demandLength,
  password,
  passwordHint,
  passwordOrUnchanged,
  passwordStrength,
  repeats,
} from "./password.ts";

beforeEach(() => demandLength(6));

test("a password has 6 to 20 characters of at least two kinds", () => {
  for (const value of ["rzx129", "rzx!!!", "947!!!", "Aa1!Aa1!Aa1!Aa1!Aa1!"])
    expect(password(value)).toBeUndefined();
  expect(password("")).toBe(TEXTS["password.required"][0]);
  for (const value of ["a1", "abc12"]) expect(password(value)).toBe(TEXTS["password.min"][0]);
  expect(password("Aa1!Aa1!Aa1!Aa1!Aa1!A")).toBe(TEXTS["password.max"][0]);
  for (const value of ["abcdef", "ABCdef", "123456", "!!!!!!"])
    expect(password(value)).toBe(TEXTS["password.kinds"][0]);
});

test("what is guessed first is refused, however it is dressed", () => {
  const common =
    "woaini1314 a123456 A123456! abc123 123456a qwe123456 password1 P@ssw0rd! admin888 admin2026 1qaz2wsx 1q2w3e4r \
zxcvbnm123 iloveyou520 asd123456 123456abc aaa111 5201314a woaini521 Qwerty123! 1234.5678 test1234 wang123456 a5201314";
  for (const value of common.split(" "))
    expect(password(value), value).toBe("该密码过于常见，容易被猜到，请换一个");
  for (const value of ["Ruzhu2026!", "kf83mm20", "Jiang2026!", "plant-41-river", "xk9z2026"])
    expect(password(value), value).toBeUndefined();
});

test("a deployment may demand more characters, and says so", () => {
  expect([password("rzx1294"), passwordHint().slice(0, 5)]).toEqual([undefined, "6-20位"]);
  demandLength(8);
  expect([password("rzx1294"), passwordHint().slice(0, 5)]).toEqual(["至少8位密码，区分大小写", "8-20位"]);
  expect(password("rzx12945")).toBeUndefined();
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
