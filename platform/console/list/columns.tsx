import type { ReactNode } from "react";
import type { ZodType } from "zod";
import type { FieldMeta } from "../../kernel/field.ts";
import { isRight, lookOf, Money } from "../parts/kinds.tsx";
import { metaAt, rowShape, sortable } from "./list-schema.ts";
import type { Call } from "../../kernel/call.ts";

type Common<R> = {
  title?: string;
  help?: string;
  width?: number;
  /** Its own look; default by the kind in the contract. */
  show?: (row: R) => ReactNode;
  /** Link to another screen; undefined shows plain text. */
  to?: (row: R) => string | undefined;
  /** The one amount that matters in a row. */
  strong?: boolean;
  /** Not shown until somebody chooses it. */
  hidden?: boolean;
  /** The same in a window so narrow that it would push what matters more out of sight. */
  wide?: true;
  /** The server's order by it says nothing here. */
  unsorted?: boolean;
  /** Further fields that `show` tells of: a file has each as a column beside this one. */
  holds?: readonly (keyof R & string)[];
};

/** A field of the row by name, the same with changes, or a column of its own that is no field. */
export type Column<R> =
  | (keyof R & string)
  | ({ key: keyof R & string } & Common<R>)
  | ({ own: string; title: string; right?: boolean; show: (row: R) => ReactNode } & Common<R>);

/** A column made ready: everything looked up in the contract. */
export type Ready<R> = {
  key: string;
  meta: FieldMeta;
  right: boolean;
  sorted: boolean;
  width: number | undefined;
  hidden: boolean;
  /** It brings its own figure, also where an export writes a field of the same name. */
  own: boolean;
  strong: boolean;
  show: (row: R) => ReactNode;
  to: ((row: R) => string | undefined) | undefined;
  /** True when `show` is the contract's: long texts are then cut with an ellipsis. */
  plain: boolean;
  /** What a file has of it: the fields, comma between. */
  fields: string;
};

/** From this width on a list shows its columns for wide windows. */
const WIDE = 1400;

/** Labels, kinds and sorting come from the call's contract; the page only names its columns. */
export const columns = <R,>(call: Pick<Call, "reply" | "query">, list: readonly Column<R>[]): Ready<R>[] =>
  columnsOf(rowShape(call), new Set(sortable(call)), list);

export function columnsOf<R>(
  shape: Record<string, ZodType | undefined>,
  sorts: ReadonlySet<string>,
  list: readonly Column<R>[],
): Ready<R>[] {
  return list.map((column) => {
    const c = typeof column === "string" ? { key: column } : column;
    const own = "own" in c;
    const key = own ? c.own : c.key;
    const base: FieldMeta = own ? { title: c.title, kind: "text" } : metaAt(shape, key);
    const more: Common<R> = c;
    const meta = {
      ...base,
      title: more.title ?? base.title,
      ...(more.help !== undefined && { help: more.help }),
    };
    const valueOf = (row: R) => (row as Record<string, unknown>)[key];
    const strong = more.strong ?? false;
    return {
      key,
      meta,
      right: own ? (c.right ?? false) : isRight(meta.kind),
      sorted: sorts.has(key) && !more.unsorted,
      width: more.width,
      hidden: more.hidden ?? (more.wide === true && globalThis.innerWidth < WIDE),
      own,
      strong,
      to: more.to,
      plain: !more.show,
      fields: [key, ...(more.holds ?? [])].join(","),
      show:
        more.show ??
        ((row: R) =>
          strong && meta.kind === "money" ? (
            <Money fen={valueOf(row) as number | null} strong />
          ) : (
            lookOf(meta, valueOf(row))
          )),
    };
  });
}

const alike = (a: object, b: object): boolean => {
  const [one, other] = [Object.entries(a), b as Record<string, unknown>];
  return one.length === Object.keys(b).length && one.every(([key, value]) => Object.is(value, other[key]));
};

/** The same columns, but for what a page draws in them (`show`, `to`), which is new whenever the page is drawn. */
export const sameColumns = (a: readonly Ready<never>[], b: readonly Ready<never>[]): boolean =>
  a.length === b.length &&
  a.every(({ meta, show: _show, to, ...rest }, i) => {
    const { meta: itsMeta, show: _its, to: itsTo, ...its } = b[i]!;
    return alike(rest, its) && alike(meta, itsMeta) && !to === !itsTo;
  });

/** What one person chose for one list: which columns, in which order. */
export type Choice = { key: string; on: boolean }[];

/** Applies a choice. Columns that the choice does not know yet stand where the page has them; gone ones fall out. */
export function chosen<R>(
  ready: readonly Ready<R>[],
  choice: Choice | undefined,
): { column: Ready<R>; on: boolean }[] {
  const initial = ready.map((column) => ({ column, on: !column.hidden }));
  if (!choice) return initial;
  const known = choice.flatMap(({ key, on }) => {
    const column = ready.find((c) => c.key === key);
    return column ? [{ column, on }] : [];
  });
  for (const [i, one] of initial.entries()) {
    if (!known.some((k) => k.column.key === one.column.key)) known.splice(Math.min(i, known.length), 0, one);
  }
  return known;
}
