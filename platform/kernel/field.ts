import { z } from "zod";
import { BUSINESS_DAYS, contains, isDay, LIFE_DAYS, yearsOf, type Period } from "./day.ts";
import { AMOUNT_MAX, safeFen } from "./fen.ts";
import { kept, type Secrecy } from "./fields/secrecy.ts";
import { freeText } from "./texts/names.ts";
import { notBetween } from "./numbers.ts";
import { check, optional } from "./validators.ts";
import type { Validator } from "./validators.ts";

/** The closed vocabulary of values: each kind knows how to show, edit, search and export itself in the console's kit. */
export type Kind =
  | "money"
  | "day"
  | "month"
  | "instant"
  | "person"
  | "phone"
  | "status"
  | "tags"
  | "link"
  | "room"
  | "progress"
  | "percent"
  | "number"
  | "file"
  | "flag"
  | "text";

/** One colour table for the whole product: states alone have a colour; grey ended (and whatever only sorts: kinds, sources, channels), blue in progress, gold waiting, green good, orange soon, red wrong, purple moved. */
export type Tone = "grey" | "blue" | "gold" | "cyan" | "green" | "orange" | "red" | "purple";
/** code → [what people read, its colour] */
export type Words<K extends string = string> = Record<K, readonly [text: string, tone: Tone]>;

/** Words that only sort records (kinds, ways, sources): they have no colour. */
export const plainWords = <const W extends Record<string, string>>(texts: W) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, [text, "grey"]])) as unknown as {
    readonly [K in keyof W]: readonly [text: W[K], tone: "grey"];
  };

/** Text with gaps to fill, text with marks of its own, rows told cell by cell, what somebody signs in by, a program's own. */
export type Wording = "template" | "marked" | "draft" | "credential" | "program";

export type FieldMeta = {
  /** The label, written once, here. */
  title: string;
  kind: Kind;
  unit?: string;
  words?: Words;
  /** Shown behind a small (i): formula or source of the value. */
  help?: string;
  /** A number that is kept as the text of its digits: typed like one. */
  decimal?: true;
  /** Longest text, for the input's counter. */
  max?: number;
  /** Masked or left out by the operation log; what a reply carries of it is masked. */
  secrecy?: Secrecy;
  /** Why a text of a body may carry what free text refuses. */
  wording?: Wording;
  /** A number of a person shown whole: only by a call that needs an authority code and is logged. */
  whole?: true;
};

const as = <S extends z.ZodType>(schema: S, meta: FieldMeta): S => schema.meta(meta) as S;

/** The label and kind of a schema, found through optional, nullable and default wrappers. */
export function metaOf(schema: z.ZodType): FieldMeta | undefined {
  // what says no more than its title has an input of its own
  let titled: FieldMeta | undefined;
  for (let s: z.ZodType | undefined = schema; s;) {
    const meta = s.meta() as FieldMeta | undefined;
    if (meta?.kind) return meta;
    if (meta?.title) titled ??= { ...meta, kind: "text" };
    const def: { innerType?: z.ZodType; in?: z.ZodType } = s.def as never;
    s = def.innerType ?? def.in;
  }
  return titled;
}

type More = Pick<FieldMeta, "unit" | "help" | "secrecy">;

// ---- what a reply carries --------------------------------------------------------------------
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
/** Records that an act is for: each once, however often it is named. */
export const ids = () => z.array(id).overwrite((list) => [...new Set(list)]);
/** For a list in which no record may stand twice: of two amounts for one, nobody knows which is meant. */
export const distinct =
  <T>(keyOf: (row: T) => unknown) =>
  (rows: readonly T[]): boolean =>
    new Set(rows.map(keyOf)).size === rows.length;
export const money = (title: string, more: More = {}) =>
  as(z.number().overwrite(safeFen).int(), { title, kind: "money", ...more });
export const day = (title: string, more: More = {}) => as(z.string(), { title, kind: "day", ...more });
export const month = (title: string, more: More = {}) => as(z.string(), { title, kind: "month", ...more });
export const instant = (title: string, more: More = {}) =>
  as(z.string(), { title, kind: "instant", ...more });
export const number = (title: string, more: More = {}) => as(z.number(), { title, kind: "number", ...more });
/** 0.9517 shows as 95.17%. */
export const percent = (title: string, more: More = {}) =>
  as(z.number(), { title, kind: "percent", ...more });
/** 0…1 with a small bar. */
export const progress = (title: string, more: More = {}) =>
  as(z.number(), { title, kind: "progress", ...more });
export const text = (title: string, more: More = {}) => as(z.string(), { title, kind: "text", ...more });
export const link = (title: string, more: More = {}) => as(z.string(), { title, kind: "link", ...more });
/** Full names of rooms (滨江店·3栋·1203-A), several joined by 、. */
export const room = (title: string, more: More = {}) => as(z.string(), { title, kind: "room", ...more });
export const person = (title: string, more: More = {}) => as(z.string(), { title, kind: "person", ...more });
/** Already masked where it must be: 138****1234. */
export const phone = (title: string, more: More = {}) => as(z.string(), { title, kind: "phone", ...more });
/** A number of a person in a reply: whatever is given, it leaves masked. */
const shownMasked =
  (secrecy: Secrecy) =>
  (title: string, more: More = {}) =>
    as(
      z.string().overwrite((value) => kept(secrecy, value) as string),
      { title, kind: "text", secrecy, ...more },
    );
export const certificateNo = shownMasked("certificate");
export const bankCardNo = shownMasked("bank");
/** The whole number, for the reply of a look that needs an authority code, or runs the platform, and leaves its line in the operation log. */
export const wholeNumber = (title: string) => as(z.string(), { title, kind: "text", whole: true });
export const flag = (title: string, more: More = {}) => as(z.boolean(), { title, kind: "flag", ...more });
export const status = <K extends string>(title: string, words: Words<K>, more: More = {}) =>
  as(z.enum(Object.keys(words) as [K, ...K[]]), { title, kind: "status", words, ...more });
export const tags = <K extends string>(title: string, words: Words<K>, more: More = {}) =>
  as(some(Object.keys(words) as [K, ...K[]]), { title, kind: "tags", words, ...more });
/** Some of a closed set, in a list no longer than the set. */
export const some = <K extends string>(keys: readonly [K, ...K[]], error?: string) =>
  z.array(z.enum(keys, error), error).max(keys.length);

/** Any schema whose value no log may keep: a key (password, code, token …), or a number of a person typed as plain text. */
export const secret = <S extends z.ZodType>(schema: S, secrecy: Secrecy = "key"): S =>
  schema.meta({ ...schema.meta(), secrecy }) as S;

/** A text that is no free text, and why. */
export const worded = <S extends z.ZodType>(wording: Wording, schema: S): S =>
  schema.meta({ ...schema.meta(), wording }) as S;

// ---- what a person types ---------------------------------------------------------------------
const REASON = "请填写原因（2-200字）";

/** What an empty field is told: its own sentence where it asks for something, else 请输入 with its title. */
const missing = (title: string, own: string | undefined) =>
  own && /^请(输入|选择|填写)/.test(own) ? own : `请输入${title}`;

/** What every text that a person writes freely is held to (specification section 5). */
const free = check(optional(freeText));
/** A free text with a length and sentences of its own. */
export const freely = (text: z.ZodString) => text.superRefine(free);
/** What a program made: hashes, codes, keys of columns and fields. */
export const token = (max = 100, msg = "格式不正确") =>
  z
    .string({ error: msg })
    .max(max, msg)
    .regex(/^[\w.:#-]*$/, msg);

const sized = (title: string, min: number, max: number, msg = `${title}长度为${min}到${max}个字`) =>
  z
    .string({ error: missing(title, msg) })
    .trim()
    .min(min, msg)
    .max(max, msg);
/** Required trimmed text of min to max characters. */
export const input = (title: string, min: number, max: number, msg?: string) =>
  as(sized(title, min, max, msg).superRefine(free), { title, kind: "text", max });
/** The same with gaps to be filled, such as {no}. */
export const pattern = (title: string, min: number, max: number) =>
  worded("template", as(sized(title, min, max), { title, kind: "text", max }));
/** Text judged by a shared validator: `checked("手机", contactMobile, { kind: "phone" })`. Outer spaces are dropped unless they matter. */
export const checked = (
  title: string,
  validator: Validator,
  {
    kind = "text",
    keepSpaces = false,
    ...more
  }: More & { kind?: Kind; max?: number; keepSpaces?: boolean } = {},
) => {
  const typed = z.string({ error: missing(title, validator("")) });
  return as((keepSpaces ? typed : typed.trim()).superRefine(check(validator)), { title, kind, ...more });
};
/** Pictures in their order; the first is the cover. */
export const pictures = (most: number) =>
  z.array(id).max(most, `图片最多${most}张`).meta({ title: "图片", kind: "file" });
/** Free text that may be empty, at most `max` characters. */
export const remark = (title = "备注", max = 200) =>
  as(z.string().trim().max(max, `${title}最多${max}个字`).superRefine(free), { title, kind: "text", max });
export const reason = (title = "原因") =>
  as(z.string({ error: REASON }).trim().min(2, REASON).max(200, REASON).superRefine(free), {
    title,
    kind: "text",
    max: 200,
  });
/** An amount in fen that somebody typed in yuan. */
export const amount = (title: string, min = 1) =>
  as(
    z
      .number({
        error: (issue) => (issue.input === undefined ? `请输入${title}` : "请输入正确的金额（最多两位小数）"),
      })
      .int("请输入正确的金额（最多两位小数）")
      .min(min, min > 0 ? "金额必须大于0" : "请输入正确的金额（最多两位小数）")
      .max(AMOUNT_MAX, "金额过大"),
    { title, kind: "money" },
  );
const dayWithin = (title: string, range: Period) =>
  as(
    z
      .string({ error: `请选择${title}` })
      .refine(isDay, { error: `${title}格式不正确`, abort: true })
      .refine((typed) => contains(range, typed), `${title}须在${yearsOf(range)}之间`),
    { title, kind: "day" },
  );
/** A day of business: due, paid, starting, filtered by. */
export const dayInput = (title: string) => dayWithin(title, BUSINESS_DAYS);
/** A birthday, or the day to which a paper is valid. */
export const lifeDayInput = (title: string) => dayWithin(title, LIFE_DAYS);
/** A moment of business, with its offset. */
export const instantInput = (title: string, msg = `${title}格式不正确`) =>
  as(
    z.iso
      .datetime({ offset: true, error: msg, abort: true })
      .refine((at) => contains(BUSINESS_DAYS, at.slice(0, 10)), `${title}须在${yearsOf(BUSINESS_DAYS)}之间`),
    { title, kind: "instant" },
  );
export const monthInput = (title: string) =>
  as(z.string({ error: `请选择${title}` }).regex(/^20\d\d-(0[1-9]|1[0-2])$/, `${title}格式不正确`), {
    title,
    kind: "month",
  });
export const whole = (title: string, min: number, max: number, more: More = {}) => {
  const error = notBetween(min, max);
  return as(z.number({ error }).int(error).min(min, error).max(max, error), {
    title,
    kind: "number",
    ...more,
  });
};
/** The id of another record, chosen from a list. */
export const pick = (title: string) =>
  as(
    z
      .number({ error: `请选择${title}` })
      .int()
      .positive(`请选择${title}`),
    { title, kind: "link" },
  );
export const choice = <K extends string>(title: string, words: Words<K>) =>
  as(z.enum(Object.keys(words) as [K, ...K[]], { error: `请选择${title}` }), {
    title,
    kind: "status",
    words,
  });
const numbered = z
  .number()
  .int()
  // stored in 32 bits
  .max(2 ** 31 - 1);
/** Carried by every edit; a stale one is refused. */
export const version = numbered.min(1);
/** Records of one kind that an act is for, each once and as it was seen; `counter` counts them. */
export const seenRecords = (kind: string, counter: string, most: number) =>
  z
    .array(z.object({ id, version }))
    .min(1, `请选择${kind}`)
    .max(most, `一次最多${most}${counter}`)
    .refine(
      distinct((one: { id: number }) => one.id),
      `同一${kind}不能重复选择`,
    );
/** The same where it comes in an address: a DELETE has no body. */
export const versionInQuery = z.coerce.number().pipe(version);
/** The same of what is made by its first edit: 0 before that. */
export const versionOrNone = numbered.min(0);
