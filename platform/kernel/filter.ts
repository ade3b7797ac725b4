import { z } from "zod";
import type { Call } from "./call.ts";
import { id, plainWords, type Words } from "./field.ts";
import { idList, wordList } from "./paging.ts";

export type Option = {
  value: number;
  label: string;
  note?: string | undefined;
  group?: string | undefined;
  search?: string;
};

/**
 * Where records are chosen from and called by name: a read whose `keyword` is what was typed and whose `ids` (comma list)
 * names the chosen ones. `option` turns one row of its list into an option.
 */
export type Source = {
  call: Call;
  /** Fixed parts of the query. */
  query?: Record<string, unknown>;
  option: (row: never) => Option;
};

/**
 * What a field of a list's query is to people. It is declared here once: the page names the key, chips, saved views and
 * the head of an export say it in these words. Two fields that are one filter (from, to) carry the same declaration.
 */
export type FilterMeta = { title: string } & (
  | { kind: "keyword" | "text" | "village" | "month" | "flag" }
  /** `today`: shown while nobody has chosen. */
  | { kind: "day"; today?: true }
  /**
   * `dic`: kind and group of the dictionary that each company changes. `source`: few records, offered all at once and
   * called by name as records are. The page gives the words of both.
   */
  | ({ kind: "choice"; many?: boolean } & (
      | { words: Words }
      | { dic: readonly [kind: string, group: string] }
      | { source: Source }
    ))
  | { kind: "record"; source: Source }
  /** `last`: so many days up to today are shown while nobody has chosen. */
  | { kind: "days"; from: string; to: string; last?: number }
  | { kind: "money"; from: string; to: string }
  | { kind: "range"; from: string; to: string; unit?: string }
);

/** A field of the query as a filter of the list. */
export const by = <S extends z.ZodType>(schema: S, filter: FilterMeta): S => schema.meta({ filter });

export function filterOf(schema: z.ZodType | undefined): FilterMeta | undefined {
  for (let s = schema; s;) {
    const found = s.meta()?.["filter"] as FilterMeta | undefined;
    if (found) return found;
    const def = s.def as { innerType?: z.ZodType; in?: z.ZodType };
    s = def.innerType ?? def.in;
  }
  return undefined;
}

export const villages = (title = "门店") => by(idList, { kind: "village", title });
export const keyword = (title: string, most = 50) =>
  by(z.string().trim().max(most).optional(), { kind: "keyword", title });
export const record = (title: string, source: Source) =>
  by(z.coerce.number().pipe(id).optional(), { kind: "record", title, source });
export const records = (title: string, source: Source) => by(idList, { kind: "record", title, source });

/** A word of a dictionary, as records keep it. */
export const word = (title: string, kind: string, group: string, longest = 20) =>
  by(z.string().trim().max(longest).optional(), { kind: "choice", title, dic: [kind, group] });

type Titled = string | { title: string } | readonly [title: string, ...unknown[]];
const titleOf = (of: Titled) => (typeof of === "string" ? of : "title" in of ? of.title : of[0]);
/** The tab over a list, in the words that stand on it; that of all records needs none. */
export const tab = <S extends z.ZodType>(schema: S, titles: Readonly<Record<string, Titled>>): S =>
  by(schema, {
    kind: "choice",
    title: "分类",
    words: plainWords({
      all: "全部",
      ...Object.fromEntries(Object.entries(titles).map(([key, of]) => [key, titleOf(of)])),
    }),
  });

type Keys<W> = [keyof W & string, ...(keyof W & string)[]];
export const choice = <W extends Words>(title: string, words: W) =>
  by(z.enum(Object.keys(words) as Keys<W>).optional(), { kind: "choice", title, words });
export const choices = <W extends Words>(title: string, words: W) =>
  by(wordList(Object.keys(words) as Keys<W>), { kind: "choice", title, words, many: true });

type Pair = { title: string } & (
  | { kind: "days"; last?: number }
  | { kind: "money" }
  | { kind: "range"; unit?: string }
);
/** Two fields of one schema that are the two ends of one filter. */
export function between<F extends string, T extends string, S extends z.ZodType>(
  from: F,
  to: T,
  schema: S,
  pair: Pair,
): Record<F | T, S> {
  const filter: FilterMeta = { ...pair, from, to };
  return { [from]: by(schema, filter), [to]: by(schema, filter) } as Record<F | T, S>;
}
