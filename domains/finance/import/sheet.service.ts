import type { WrongCell } from "../../../platform/kernel/wrong-cells.ts";
import { readSheet, type TextRow } from "../../../platform/server/sheets/sheet-reading.ts";
import { whyNotPeriod } from "../bill/make.rules.ts";
import {
  COLUMNS,
  MOST_ROWS,
  SHEET,
  valueOf,
  type Field,
  type ImportColumn,
  type Typed,
} from "./columns.rules.ts";

/** A row whose cells are each right by themselves, and its texts as they stand in the file. */
export type TypedRow = { text: TextRow<Field>; typed: Typed };
/** Says what is wrong in a cell of a row. */
export type Say = (row: { text: TextRow<Field> }, field: Field, msg: string) => void;

/** Reads a file cell by cell: the rows that are right so far, and a sentence for each wrong cell. */
export async function typedRows(
  bytes: Buffer,
): Promise<{ rows: TypedRow[]; rowCount: number; errors: WrongCell[]; say: Say }> {
  const shape = { columns: COLUMNS, must: (c: ImportColumn) => c.must === true, most: MOST_ROWS };
  const reading = await readSheet<Field, ImportColumn>(bytes, SHEET, shape);
  const errors: WrongCell[] = [...reading.errors];
  const say: Say = ({ text }, key, msg) => errors.push(reading.errorAt(text, { key, msg }));
  const rows = reading.rows.flatMap((text) => {
    const typed = typedOf(text, say);
    return typed ? [{ text, typed }] : [];
  });
  return { rows, rowCount: reading.rows.length, errors, say };
}

function typedOf(text: TextRow<Field>, say: Say): Typed | undefined {
  const typed: Record<string, unknown> = { remark: "" };
  const wrong = new Map(text.wrong.map(({ key, msg }) => [key, msg]));
  for (const column of COLUMNS) {
    if (wrong.has(column.key)) continue;
    const got = valueOf(column, text.typed[column.key] ?? "");
    if ("msg" in got) wrong.set(column.key, got.msg);
    else typed[column.key] = got.value;
  }
  const { from, to } = typed as Partial<Typed>;
  const period = from && to && whyNotPeriod(from, to);
  if (period) wrong.set("to", period);
  for (const [key, msg] of wrong) say({ text }, key, msg);
  return wrong.size ? undefined : (typed as Typed);
}
