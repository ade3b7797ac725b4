import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Texts, TextRow } from "../../../platform/server/sheets/sheet-reading.ts";
import { valueOf, type ImportColumn } from "./import.rules.ts";

/** A row of a file while it is checked: its texts, its values, and what is wrong in it. */
export type Row = {
  number: number;
  /** As it stands in the file; what is empty is missing. */
  text: Texts<string>;
  /** As its columns want it; what could not be read is missing. */
  typed: Record<string, unknown>;
  wrong: { key: string; msg: string }[];
  /** A sentence against a cell against which nothing has been said. */
  say: (key: string, msg: string) => void;
  /** One sentence more against a cell that could be read at all. */
  add: (key: string, msg: string) => void;
  /** The row as the form would send it, or its refusals under the cells that brought them. */
  as: <S extends z.ZodType>(
    schema: S,
    fields: object,
    columnOf?: (path: readonly PropertyKey[]) => string,
  ) => z.output<S> | undefined;
};

export function rowOf(read: TextRow<string>, columns: readonly ImportColumn[]): Row {
  const typed: Record<string, unknown> = {};
  const wrong = [...read.wrong];
  for (const column of columns) {
    const cell = read.typed[column.key];
    if (cell === undefined) continue;
    const got = valueOf(column, cell);
    if (!("msg" in got)) typed[column.key] = got.value;
    else if (wrong.every(({ key }) => key !== column.key)) wrong.push({ key: column.key, msg: got.msg });
  }
  const unread = new Set(wrong.map(({ key }) => key));
  const add: Row["add"] = (key, msg) => void (unread.has(key) || wrong.push({ key, msg }));
  const say: Row["say"] = (key, msg) => void (wrong.some((w) => w.key === key) || wrong.push({ key, msg }));
  return {
    number: read.number,
    text: read.typed,
    typed,
    wrong,
    say,
    add,
    as: (schema, fields, columnOf = ([field]) => String(field ?? "name")) => {
      const judged = schema.safeParse(fields);
      for (const issue of judged.error?.issues ?? []) say(columnOf(issue.path), issue.message);
      return judged.data;
    },
  };
}

/** The value of a row that no other row and no record has, and the column it stands in. */
export type Unique = { key: string; value: string };
/** What a row stands for where it can be read. */
export type Judged<R> = { row: R | undefined; unique?: Unique | undefined };
type Each<R, P> = {
  judge: (read: Read, place: P) => Promise<(row: Row) => Judged<R>>;
  /** The values of them that are registered already, each with the sentence against it. */
  taken: (read: Read, place: P, uniques: readonly Unique[]) => Promise<ReadonlyMap<string, string>>;
};

/** The check of a sheet whose every row stands for a record, known by a value of its own. */
export const eachRow =
  <R, P>({ judge, taken }: Each<R, P>) =>
  async (read: Read, rows: readonly Row[], place: P): Promise<R[]> => {
    const judgeRow = await judge(read, place);
    const firsts = new Map<string, Unique & { row: Row }>();
    const made: R[] = [];
    for (const row of rows) {
      const { row: one, unique } = judgeRow(row);
      const before = unique && firsts.get(unique.value);
      if (before) row.say(unique.key, `与第 ${before.row.number} 行重复`);
      else if (unique) firsts.set(unique.value, { ...unique, row });
      if (one && !row.wrong.length) made.push(one);
    }
    for (const [value, msg] of await taken(read, place, [...firsts.values()])) {
      const { row, key } = firsts.get(value)!;
      row.say(key, msg);
    }
    return made;
  };
