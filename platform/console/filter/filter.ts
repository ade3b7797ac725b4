import { addDays } from "../../kernel/day.ts";
import type { Tone, Words } from "../../kernel/field.ts";
import type { Call } from "../../kernel/call.ts";
import { filterOf, type FilterMeta, type Source } from "../../kernel/filter.ts";
import { shapeOf } from "../list/list-schema.ts";
import { today } from "../session/operator.ts";

/**
 * One thing to filter by. K are the keys of the call's query. The first four of a list stand in the line, the rest
 * behind 展开. All values live in the address as text.
 */
export type Filter<K extends string = string> =
  | { kind: "keyword"; key: K; title: string }
  | { kind: "text"; key: K; title: string }
  | {
      kind: "choice";
      key: K;
      title: string;
      words: Words | Record<string, readonly [string, Tone]>;
      many?: boolean;
    }
  | { kind: "village"; key: K; title?: string }
  | { kind: "record"; key: K; title: string; source: Source }
  /** `usual`: what the list shows while nobody has chosen, first value first. */
  | { kind: "days"; from: K; to: K; title: string; usual?: readonly [string, string] }
  | { kind: "day"; key: K; title: string; usual?: readonly [string] }
  | { kind: "month"; key: K; title: string }
  | { kind: "money"; from: K; to: K; title: string }
  /** Two numbers, such as an area; `unit` stands behind them. */
  | { kind: "range"; from: K; to: K; title: string; unit?: string }
  | { kind: "flag"; key: K; title: string };

/** A filter of the list's query by name, or the same with what only the page knows: a dictionary's words, records of one store. */
export type Shown<K extends string = string> =
  | K
  | { key: K; title?: string; words?: Words | Record<string, readonly [string, Tone]>; source?: Source };

/** The filters that a page shows, as the call declares them; words of a dictionary are the page's. */
export const declared = <K extends string>(
  call: Pick<Call, "query">,
  shown: readonly (Shown<K> | Filter<K>)[],
): Filter<K>[] =>
  shown.map((each) => {
    if (typeof each === "object" && "kind" in each) return each;
    const { key, ...more } = typeof each === "string" ? { key: each } : each;
    const of = filterOf(shapeOf(call.query)[key]);
    if (!of) throw new Error(`${key} is not declared as a filter of its list`);
    return made(key, { ...of, ...more } as FilterMeta) as Filter<K>;
  });

function made(key: string, of: FilterMeta): Filter {
  if (of.kind === "choice") return { ...of, key, words: "words" in of ? of.words : {} };
  if (of.kind === "day") return { ...of, key, ...(of.today && { usual: [today()] as const }) };
  if (!("from" in of)) return { ...of, key };
  if (of.kind !== "days") return of;
  const { last, ...days } = of;
  return { ...days, ...(last && { usual: lastDays(last) }) };
}

export const keysOf = (f: Filter): readonly string[] => ("from" in f ? [f.from, f.to] : [f.key]);

/** The last days up to today, as a list shows them by itself. */
export function lastDays(days: number): readonly [string, string] {
  const last = today();
  return [addDays(last, 1 - days), last];
}

export const titleOf = (f: Filter): string => (f.kind === "keyword" ? "关键字" : (f.title ?? "门店"));

/** The address with the values that hold while nobody has chosen others: asked for and shown, though not in the address. */
export function withUsual(filters: readonly Filter[], params: URLSearchParams): URLSearchParams {
  const all = new URLSearchParams(params);
  for (const f of filters) {
    if (!("usual" in f) || keysOf(f).some((key) => params.get(key))) continue;
    for (const [i, key] of keysOf(f).entries()) all.set(key, f.usual![i]!);
  }
  return all;
}

/** The address as the call's query: only keys that the call knows, plus what the page fixes. */
export function queryOf(
  params: URLSearchParams,
  known: ReadonlySet<string>,
  fixed: Record<string, unknown>,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [key, value] of params) if (known.has(key) && value !== "") query[key] = value;
  return { ...query, ...fixed };
}

/** The set filters as people read them: [label, text, keys to clear]. `named` turns ids into names. */
export function chipsOf(
  filters: readonly Filter[],
  params: URLSearchParams,
  named: (f: Filter, ids: readonly string[]) => string,
): { title: string; text: string; keys: readonly string[] }[] {
  return filters.flatMap((f) => {
    const keys = keysOf(f);
    const values = keys.map((k) => params.get(k) ?? "");
    if (!values.some(Boolean)) return [];
    return [{ title: titleOf(f), text: chipText(f, values, named), keys }];
  });
}

function chipText(
  f: Filter,
  values: readonly string[],
  named: (f: Filter, ids: readonly string[]) => string,
) {
  const [a = "", b = ""] = values;
  switch (f.kind) {
    case "days":
      return a && b ? `${a} ~ ${b}` : a ? `${a} 起` : `至 ${b}`;
    case "money":
      return a && b ? `${fenText(a)} ~ ${fenText(b)}` : a ? `≥ ${fenText(a)}` : `≤ ${fenText(b)}`;
    case "range":
      return `${a && b ? `${a} ~ ${b}` : a ? `≥ ${a}` : `≤ ${b}`}${f.unit ? ` ${f.unit}` : ""}`;
    case "choice":
      return a
        .split(",")
        .map((code) => f.words[code]?.[0] ?? code)
        .join("、");
    case "flag":
      return a === "true" ? "是" : "否";
    case "village":
    case "record":
      return named(f, a.split(","));
    default:
      return a;
  }
}

const fenText = (fen: string) => (Number(fen) / 100).toFixed(2);
