import type { z } from "zod";
import { MOST_WRONG, type WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { readSheet, type TextRow } from "../../../platform/server/sheets/sheet-reading.ts";
import { MOST_ROWS, valueOf, type ImportColumn } from "./columns.rules.ts";

/** The store whose records a file holds. */
export type Place = { villageId: number; enterpriseId: number };
/** Whose the records are that belong to no store. */
export type WholePlace = Pick<Place, "enterpriseId">;

/** A row as it was typed, by field, and what is wrong in it: one sentence for each cell, the first. */
export type Typed = {
  typed: Record<string, unknown>;
  say: (key: string, msg: string) => void;
  /** The row as the form would send it, or its refusals under the cells that brought them. */
  as: <S extends z.ZodType>(
    schema: S,
    fields: object,
    columnOf?: (path: readonly PropertyKey[]) => string,
  ) => z.output<S> | undefined;
};
/** What a row stands for where it can be read, and the value that no other row and no record has. */
export type Judged<R> = { row: R | undefined; unique?: Unique | undefined };
export type Unique = { key: string; value: string };

/** What makes the rows of one importer right. */
export type Rows<R, P = Place> = {
  /** What a row is; also the name of the sheet. */
  things: string;
  columns: (read: Read) => Promise<readonly ImportColumn[]>;
  judge: (read: Read, place: P) => Promise<(row: Typed) => Judged<R>>;
  /** The values of them that are registered already, each with the sentence against it. */
  taken: (read: Read, place: P, uniques: readonly Unique[]) => Promise<ReadonlyMap<string, string>>;
};
export type Checked<R> = { rows: R[]; rowCount: number; errors: WrongCell[]; errorCount: number };

/** Judges a whole file: every wrong cell by row and column, against the file itself and against what is registered. */
export async function checkRows<R, P>(
  read: Read,
  of: Rows<R, P>,
  bytes: Buffer,
  place: P,
): Promise<Checked<R>> {
  const columns = await of.columns(read);
  const shape = { columns, must: (c: ImportColumn) => c.must === true, most: MOST_ROWS };
  const reading = await readSheet<string, ImportColumn>(bytes, of.things, shape);
  const judge = await of.judge(read, place);
  const errors: WrongCell[] = [...reading.errors];
  const rows: R[] = [];
  const firsts = new Map<string, Unique & { text: TextRow<string> }>();
  for (const text of reading.rows) {
    const { wrong, ...typed } = typedRow(text, columns);
    const { row, unique } = judge(typed);
    const before = unique && firsts.get(unique.value);
    if (before) typed.say(unique.key, `与第 ${before.text.number} 行重复`);
    else if (unique) firsts.set(unique.value, { ...unique, text });
    for (const [key, msg] of wrong) errors.push(reading.errorAt(text, { key, msg }));
    if (row && !wrong.size) rows.push(row);
  }
  for (const [value, msg] of await of.taken(read, place, [...firsts.values()])) {
    const { text, key } = firsts.get(value)!;
    errors.push(reading.errorAt(text, { key, msg }));
  }
  return {
    rows,
    rowCount: reading.rows.length,
    errors: errors.slice(0, MOST_WRONG),
    errorCount: errors.length,
  };
}

function typedRow(
  text: TextRow<string>,
  columns: readonly ImportColumn[],
): Typed & { wrong: Map<string, string> } {
  const wrong = new Map(text.wrong.map(({ key, msg }) => [key, msg]));
  const say: Typed["say"] = (key, msg) => void (wrong.has(key) || wrong.set(key, msg));
  const typed: Record<string, unknown> = {};
  for (const column of columns) {
    const cell = text.typed[column.key];
    if (cell === undefined) continue;
    const got = valueOf(column, cell);
    if ("msg" in got) say(column.key, got.msg);
    else typed[column.key] = got.value;
  }
  return {
    typed,
    wrong,
    say,
    as: (schema, fields, columnOf = ([field]) => String(field ?? "name")) => {
      const judged = schema.safeParse(fields);
      for (const issue of judged.error?.issues ?? []) say(columnOf(issue.path), issue.message);
      return judged.data;
    },
  };
}
