import type { ZodType } from "zod";
import type { FieldMeta } from "./field.ts";
import { freeText } from "./names.ts";
import type { FieldError } from "./refusal.ts";
import { isEmpty } from "./validators.ts";

type Def = {
  type: string;
  format?: string;
  checks?: readonly { _zod: { def: { check: string } } }[];
  shape?: Record<string, ZodType>;
  options?: readonly ZodType[];
  element?: ZodType;
  valueType?: ZodType;
  innerType?: ZodType;
  in?: ZodType;
  left?: ZodType;
  right?: ZodType;
};

/** Limits of length and what trims say nothing of the characters of a text; patterns and validators do. */
const LENGTHS = new Set(["min_length", "max_length", "length_equals", "overwrite"]);
const isOpen = ({ type, format, checks = [] }: Def) =>
  type === "string" && !format && checks.every(({ _zod }) => LENGTHS.has(_zod.def.check));

/**
 * What is wrong with the texts of a body that takes its schema. A text whose own schema does not say which characters it
 * takes is free text; `f.worded` names what is none, and what is secret is nobody's business.
 */
export function strangeTexts(schema: ZodType, value: unknown, at = ""): FieldError[] {
  if (isEmpty(value)) return [];
  const def = schema.def as unknown as Def;
  const { secrecy, wording } = (schema.meta() ?? {}) as Partial<FieldMeta>;
  if (secrecy || wording) return [];
  if (typeof value === "string" && isOpen(def)) {
    const msg = freeText(value.trim());
    return msg ? [{ field: at, msg }] : [];
  }
  const place = (key: string | number) => (at ? `${at}.${key}` : `${key}`);
  const { options = [], element, valueType } = def;
  // of several shapes the one that was sent
  const chosen = options.find((option) => option.safeParse(value).success);
  const same = [chosen, def.innerType, def.in, def.left, def.right];
  const inside = same.flatMap((inner) => (inner ? strangeTexts(inner, value, at) : []));
  if (Array.isArray(value))
    return element ? [...inside, ...value.flatMap((one, i) => strangeTexts(element, one, place(i)))] : inside;
  if (typeof value !== "object") return inside;
  for (const [key, one] of Object.entries(value as object)) {
    const field = def.shape && Object.hasOwn(def.shape, key) ? def.shape[key] : valueType;
    if (field) inside.push(...strangeTexts(field, one, place(key)));
  }
  return inside;
}
