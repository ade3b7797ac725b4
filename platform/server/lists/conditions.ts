import { sql, type RawBuilder } from "kysely";
import { beginning, containing, containingLetters } from "../../kernel/texts/like.ts";
import { addDays, type Day } from "../../kernel/day.ts";
import { anyOf } from "../pipeline/scope.ts";

export type Sql = RawBuilder<unknown>;
/** A column as `b.due_date`, or an expression over columns. */
export type Column = string | Sql;
export const columnSql = (column: Column): Sql => (typeof column === "string" ? sql.ref(column) : column);

export const allOf = (conditions: readonly Sql[]): Sql =>
  conditions.length ? sql`(${sql.join(conditions, sql` and `)})` : sql`true`;
export const oneOf = (conditions: readonly Sql[]): Sql =>
  conditions.length ? sql`(${sql.join(conditions, sql` or `)})` : sql`false`;

/** Beyond so many it is enough to know that there are so many. */
export const MOST_COUNTED = 1000;
/** How many rows a selection (`from … where …`) has, counted so far. */
export const howMany = (selection: Sql): Sql =>
  sql`(select count(*)::int from (select ${selection} limit ${MOST_COUNTED}) counted)`;

/** The value itself. */
export const is = (column: Column) => (value: string | number) => sql`${columnSql(column)} = ${value}`;
/** One of these records. */
export const among = (column: Column) => (ids: readonly number[]) =>
  sql`${columnSql(column)} = ${anyOf(ids)}`;
/** One of these words. */
export const amongWords = (column: Column) => (words: readonly string[]) =>
  sql`${columnSql(column)} = any(${words as string[]}::text[])`;
/** A column of ids that holds one of these. */
export const holds = (column: Column) => (ids: readonly number[]) =>
  sql`${columnSql(column)} && ${ids as number[]}::bigint[]`;
/** A choice of yes and no, written `true` and `false` in the address. */
export const isTrue = (condition: Column) => (value: "true" | "false") =>
  value === "true" ? columnSql(condition) : sql`not ${columnSql(condition)}`;

/** What is switched on or off, by the column that says it is on. */
export const isOn = (column: Column) => (state: "on" | "off") =>
  sql`${columnSql(column)} = ${state === "on"}`;

/** The two ends of a range of numbers or of days. */
export const from = (column: Column) => (value: number | Day) => sql`${columnSql(column)} >= ${value}`;
export const to = (column: Column) => (value: number | Day) => sql`${columnSql(column)} <= ${value}`;
/** The two ends of a range of days over a moment; the session's time zone is the business's, so these are its midnights. */
export const fromDay = (column: Column) => (day: Day) =>
  sql`${columnSql(column)} >= ${day}::date::timestamptz`;
export const toDay = (column: Column) => (day: Day) =>
  sql`${columnSql(column)} < ${addDays(day, 1)}::date::timestamptz`;

/** One way in which a keyword may be meant; undefined where the text cannot be meant so. */
export type Meaning = (text: string) => Sql | undefined;
/** A keyword that may be meant in any of these ways. */
export const keyword =
  (...meanings: readonly Meaning[]) =>
  (text: string): Sql =>
    oneOf(meanings.flatMap((meant) => meant(text) ?? []));

/** The text as it stands, within one of the columns. */
export const phrase =
  (...columns: readonly Column[]) =>
  (text: string): Sql =>
    oneOf(columns.map((column) => sql`${columnSql(column)} ilike ${containing(text)}`));
/** A name, within one of the columns; all of these have an index of their letters, so 王芳 is found as fast as a longer name. */
export const named =
  (...columns: readonly Column[]) =>
  (text: string): Sql => {
    const letters = containingLetters(text);
    return oneOf(
      columns.map((column) =>
        letters
          ? sql`(${columnSql(column)} ilike ${containing(text)} and letters(${columnSql(column)}) like ${letters})`
          : phrase(column)(text),
      ),
    );
  };
/** Part of one of the columns; every word of the text where there are several. */
export const part =
  (...columns: readonly Column[]): Meaning =>
  (text) =>
    allOf(
      text
        .split(/\s+/)
        .filter(Boolean)
        .map(phrase(...columns)),
    );
/** How the initials of a name begin. */
export const initials =
  (column: Column): Meaning =>
  (text) =>
    /^[A-Za-z]+$/.test(text) ? sql`${columnSql(column)} like ${`${text.toLowerCase()}%`}` : undefined;
/** A phone, whole or by its last four digits; those from abroad have up to 15. */
export const phone =
  (column: Column, longest: 11 | 15 = 11): Meaning =>
  (text) => {
    if (/^\d{11,15}$/.test(text) && text.length <= longest) return sql`${columnSql(column)} = ${text}`;
    return /^\d{4}$/.test(text) ? sql`right(${columnSql(column)}, 4) = ${text}` : undefined;
  };
/** The beginning of a number that people read out: HT2026. */
export const number =
  (column: Column): Meaning =>
  (text) =>
    sql`${columnSql(column)} like ${beginning(text.toUpperCase())}`;
