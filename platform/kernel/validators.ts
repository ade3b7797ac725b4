import type { z } from "zod";

/** Answers the sentence that a person reads under the field, or nothing when the text is right. */
export type Validator = (value: string) => string | undefined;

/** Null, undefined, nothing typed, and the words null and undefined that careless programs write, all count as empty. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || value === "null" || value === "undefined";

/** Refuses an empty or blank text with the sentence given. */
export const required =
  (sentence: string): Validator =>
  (value) =>
    isEmpty(value.trim()) ? sentence : undefined;

/** Refuses every text that the pattern does not match, the empty one too: `optional` lets that pass. */
export const matches =
  (pattern: RegExp, sentence: string): Validator =>
  (value) =>
    pattern.test(value) ? undefined : sentence;

/** Length in characters as people count them: 𠮷 is one. */
export const lengthBetween =
  (min: number, max: number, sentence: string): Validator =>
  (value) => {
    const length = [...value].length;
    return length < min || length > max ? sentence : undefined;
  };

/** The first sentence of several validators. */
export const all =
  (...validators: readonly Validator[]): Validator =>
  (value) => {
    for (const validator of validators) {
      const sentence = validator(value);
      if (sentence) return sentence;
    }
    return undefined;
  };

/** Lets an empty field pass and judges only what was typed. */
export const optional =
  (validator: Validator): Validator =>
  (value) =>
    isEmpty(value) ? undefined : validator(value);

/** A validator in a schema: `z.string().superRefine(check(mobile))`. */
export const check =
  (validator: Validator) =>
  (value: string, ctx: z.RefinementCtx<string>): void => {
    const message = validator(value);
    if (message) ctx.addIssue({ code: "custom", message });
  };

/** Something other than blanks must be typed. */
export const filled = required("输入不能位全空");

export const serialNumber = matches(/^[A-Za-z0-9_-]+$/, "仅支持字母、数字、下划线和中划线");
export const plainSerialNumber = matches(/^[A-Za-z0-9]+$/, "仅支持字母和数字");
/** Accounts and codes: at least one letter and one digit. */
export const code = matches(/^(?=.*[A-Za-z])(?=.*\d)[A-Za-z0-9]{6,20}$/, "请输入6-20位字母和数字组合");
