import pg from "pg";
import { safeFen } from "../../kernel/fen.ts";

/**
 * How values of the database arrive in the product: money and ids (int8) as numbers, days (date) and decimals
 * (numeric) as text, instants as ISO text in UTC with milliseconds. No Date anywhere: a day has no time zone to lose.
 */
type Parse = (text: string) => unknown;

/**
 * Nothing writes more than a number holds. An amount of before that was a rule is read as the largest there is, so that
 * its record and its store still open; the ledger check names it.
 */
const safeInteger = (text: string): number => safeFen(Number(text));

const INSTANT = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,3})\d*)?([+-])(\d\d)(?::(\d\d))?$/;

/** "2026-11-20 09:05:07.5+08" → "2026-11-20T01:05:07.500Z". Infinity and dates before Christ stay as they are. */
export function isoInstant(text: string): string {
  const m = INSTANT.exec(text);
  if (!m) return text;
  const minutes = (Number(m[9]) * 60 + Number(m[10] ?? 0)) * (m[8] === "-" ? -1 : 1);
  const milliseconds = Number((m[7] ?? "").padEnd(3, "0"));
  const [year, month, day, hour, minute, second] = m.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return new Date(Date.UTC(year, month - 1, day, hour, minute - minutes, second, milliseconds)).toISOString();
}

const asText: Parse = (text) => text;
const textArray = pg.types.getTypeParser(1009 as number) as (text: string) => Nested[];
type Nested = string | null | Nested[];

const each = (parse: Parse) => (text: string) => {
  const map = (item: Nested): unknown =>
    item === null ? null : Array.isArray(item) ? item.map(map) : parse(item);
  return textArray(text).map(map);
};

/** By the type's number in PostgreSQL's catalogue: the type itself, then its array. */
const parsers = new Map<number, Parse>([
  [20, safeInteger],
  [1016, each(safeInteger)],
  [1082, asText],
  [1182, each(asText)],
  [1700, asText],
  [1231, each(asText)],
  [1114, asText],
  [1115, each(asText)],
  [1184, isoInstant],
  [1185, each(isoInstant)],
]);

export const columnValues: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: "text" | "binary") =>
    (format !== "binary" && parsers.get(oid)) ||
    pg.types.getTypeParser(oid, format ?? "text")) as typeof pg.types.getTypeParser,
};
