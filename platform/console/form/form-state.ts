import type { RefObject } from "react";
import type { ZodType } from "zod";
import type { FieldError } from "../../kernel/refusal.ts";
import { metaOf } from "../../kernel/field.ts";
import { elementOf, schemaAt, shapeOf } from "../list/list-schema.ts";

export type Values = Record<string, unknown>;
export type Errors = Record<string, string>;

export type FormState<V> = {
  values: Partial<V>;
  errors: Errors;
  alert: string | undefined;
  dirty: boolean;
  busy: boolean;
  set: (path: string, value: unknown) => void;
  blur: (path: string) => void;
  /** Checks everything; sends when it is right. Answers false when it was not sent. */
  submit: (send: (body: V) => Promise<unknown>) => Promise<boolean>;
  /** Offered once the record was changed by somebody else: takes over what it is now, under what was typed. */
  reload?: (() => void) | undefined;
  schema: ZodType;
  box: RefObject<HTMLDivElement | null>;
  /** Fields that its parts mark as required, by part: path → label. */
  musts?: RefObject<Record<string, Errors>>;
};

/** The value at "lines.0.amount". */
export const valueAt = (values: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((at, key) => (at as Values | undefined)?.[key], values);

/** A copy with the value at a path replaced; lists stay lists. */
export function withValue<T>(values: T, path: string, value: unknown): T {
  const [key, ...rest] = path.split(".");
  const copy: unknown = Array.isArray(values) ? [...values] : { ...(values as Values) };
  const inner = (values as Values | undefined)?.[key!];
  (copy as Values)[key!] = rest.length ? withValue(inner ?? {}, rest.join("."), value) : value;
  return copy as T;
}

const empty = (value: unknown) => value === undefined || value === "" || value === null;

/** Must this field be filled? True when the schema does not take nothing. */
export const isRequired = (schema: ZodType | undefined): boolean =>
  schema !== undefined && !schema.safeParse(undefined).success;

/** What is sent: only what the call knows, without empty fields. */
export function bodyOf(schema: ZodType, values: Values): Values {
  const shape = shapeOf(schema);
  return Object.fromEntries(
    Object.keys(shape).flatMap((key) => {
      const value = values[key];
      // null clears a field that may be null; an empty text clears a field that may be empty
      if (value === undefined || (empty(value) && !shape[key]!.safeParse(value).success)) return [];
      return [[key, value]];
    }),
  );
}

/** What is chosen and not typed. */
const CHOSEN: ReadonlySet<string> = new Set(["link", "day", "month", "instant", "status", "tags"]);

/** What to do about an empty field. */
export function lacking(schema: ZodType | undefined, title?: string): string {
  const meta = schema && metaOf(schema);
  const chosen = CHOSEN.has(meta?.kind ?? "") || elementOf(schema) !== undefined;
  const verb = meta?.kind === "file" ? "请上传" : chosen ? "请选择" : "请输入";
  return `${verb}${title ?? meta?.title ?? ""}`;
}

/** Rules without a sentence of their own: zod's is English. */
const UNSAID = { error: () => "" };

/** What such a rule says of a value; a list that is not there is told as one that is empty. */
function unsaid(schema: ZodType | undefined, value: unknown): string {
  if (!empty(value)) return `${(schema && metaOf(schema)?.title) ?? ""}格式不正确`;
  const list = schema && elementOf(schema) ? schema.safeParse([], UNSAID) : undefined;
  return list?.error?.issues[0]?.message || lacking(schema);
}

/**
 * First message of each wrong field, by path. `""` is about the whole. `musts` are fields that the form marks as required as it
 * stands (path → its label): a schema says so of them only once everything else is right, which would be one by one.
 */
export function errorsOf(schema: ZodType, values: Values, musts: Errors = {}): Errors {
  const result = schema.safeParse(bodyOf(schema, values), UNSAID);
  if (result.success) return {};
  const errors: Errors = {};
  for (const { path, message } of result.error.issues) {
    const at = path.join(".");
    // an empty field of a line is not too short, it is empty
    const blank = path.length > 1 && valueAt(values, at) === "";
    errors[at] ??= blank
      ? lacking(schemaAt(schema, at))
      : message || unsaid(schemaAt(schema, at), valueAt(values, at));
  }
  for (const [path, title] of Object.entries(musts)) {
    const value = valueAt(values, path);
    if (empty(value) || (Array.isArray(value) && !value.length))
      errors[path] ??= lacking(schemaAt(schema, path), title);
  }
  return errors;
}

/** What is still wrong once the field at a path, with all that stands in it, is filled anew. */
export const errorsBut = (errors: Errors, path: string): Errors =>
  Object.fromEntries(Object.entries(errors).filter(([at]) => at !== path && !at.startsWith(`${path}.`)));

/** The server's field errors, laid on the same fields. */
export const errorsFrom = (fields: readonly FieldError[]): Errors =>
  Object.fromEntries(fields.toReversed().map((f) => [f.field.replace(/^body\./, ""), f.msg]));

export const isDirty = (values: Values, initial: Values): boolean =>
  JSON.stringify(values, undefinedAsNull) !== JSON.stringify(initial, undefinedAsNull);

const same = (a: unknown, b: unknown): boolean => !isDirty({ of: a }, { of: b });

/**
 * A form over a record that was changed meanwhile, from what it began with to what the record is now: what was typed
 * stays, all else is taken over. `theirs` are the fields that were changed elsewhere, `both` those of them typed here too.
 */
export function rebased(values: Values, start: Values, now: Values) {
  const keys = [...new Set([...Object.keys(values), ...Object.keys(now)])].filter((key) => key !== "version");
  const mine = keys.filter((key) => !same(values[key], start[key]));
  const theirs = keys.filter((key) => !same(start[key], now[key]) && !same(values[key], now[key]));
  const typed = Object.fromEntries(mine.map((key) => [key, values[key]]));
  return { values: { ...now, ...typed }, theirs, both: theirs.filter((key) => mine.includes(key)) };
}

const undefinedAsNull = (_key: string, value: unknown) =>
  value === "" || value === null ? undefined : value;
