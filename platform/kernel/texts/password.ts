import { isCommon } from "./common-password.ts";
import { all, lengthBetween, matches, optional, required } from "../validators.ts";
import type { Validator } from "../validators.ts";

// what has no place in a password makes none stronger
const KINDS = [/\d/, /[A-Za-z]/, /[!-/:-@[-`{-~]/];

/** The meter: how many of digits, letters and symbols it has, 1 to 3; 0 while nothing is typed. */
export const passwordStrength = (value: string): 0 | 1 | 2 | 3 =>
  KINDS.filter((kind) => kind.test(value)).length as 0 | 1 | 2 | 3;

/** Of a deployment, in characters: 6 (specification section 5) unless its setting demands more. Both sides are told at start. */
let shortest = 6;
export const demandLength = (min: number): void => {
  shortest = min;
};
export const passwordHint = (): string => `${shortest}-20位，支持字母、数字和标点符号，不含空格`;

export const passwordRequired = required("请输入密码");

/** A password that is being set; one that is checked at sign-in is only required. */
export const password = all(
  passwordRequired,
  (value) => ([...value].length < shortest ? `至少${shortest}位密码，区分大小写` : undefined),
  lengthBetween(0, 20, "密码长度不能超过20位！"),
  matches(/^[\x21-\x7e]+$/, "密码不能包含空格和中文"),
  (value) => (passwordStrength(value) < 2 ? "字母、数字和标点符号至少包含两种！" : undefined),
  (value) => (isCommon(value) ? "该密码过于常见，容易被猜到，请换一个" : undefined),
);
/** On forms that edit an operator: empty keeps the password as it is. */
export const passwordOrUnchanged = optional(password);

export const repeats =
  (first: string): Validator =>
  (value) =>
    value === first ? undefined : "两次输入的密码不一致，请重新输入";
