import { PassThrough } from "node:stream";
import type ExcelJS from "exceljs";
import { columnNumber, type SheetRow } from "./sheet-rows.ts";
import type { Sheet } from "./workbook-reader.ts";

const RED = { type: "pattern", pattern: "solid", fgColor: { argb: "FFFFD6D6" } } as const;

/** What is said about a row, in a column of its own; a wrong one is red, and so is the cell it is about. */
export type RowNote = { row: number; column?: string; text: string; wrong: boolean };

/**
 * A sheet as it came with notes beside its rows. Both sides are streams: no more than a row of it is in memory.
 */
export async function* notedSheet(
  sheet: Sheet,
  { name, title, notes }: { name: string; title: string; notes: readonly RowNote[] },
): AsyncGenerator<Uint8Array> {
  const byRow = Map.groupBy(notes, (note) => note.row);
  const out = new PassThrough();
  const { default: excel } = await import("exceljs");
  const book = new excel.stream.xlsx.WorkbookWriter({
    stream: out,
    useStyles: true,
    useSharedStrings: false,
  });
  const writing = (async () => {
    const target = book.addWorksheet(sheet.name || name);
    let width = 0;
    let next = 1;
    let headed = false;
    for await (const row of sheet.rows()) {
      width ||= Math.max(...row.cells.keys());
      // rows that were empty stay empty, so that the numbers in the sentences are right
      for (; next < row.number; next++) target.addRow([]).commit();
      copy(target.addRow([]), row, width, headed ? undefined : title, byRow.get(row.number) ?? []);
      next = row.number + 1;
      headed = true;
    }
    target.commit();
    await book.commit();
  })();
  writing.catch((error: Error) => out.destroy(error));
  yield* out as AsyncIterable<Uint8Array>;
  await writing;
}

function copy(
  to: ExcelJS.Row,
  from: SheetRow,
  width: number,
  title: string | undefined,
  notes: readonly RowNote[],
): void {
  for (const [n, cell] of from.cells)
    to.getCell(n).value = cell.kind === "number" ? Number(cell.text) : cell.text;
  const told = to.getCell(width + 1);
  told.value = [title ?? "", ...notes.map((n) => n.text)].filter(Boolean).join("；");
  if (title) told.font = { bold: true };
  const wrong = notes.filter((n) => n.wrong);
  if (wrong.length) told.fill = RED;
  for (const { column } of wrong) if (column) to.getCell(columnNumber(column)).fill = RED;
  to.commit();
}

/** The file as it came, wrong cells red with their sentence as a note: for files small enough to be held whole. */
export async function markedBook(
  bytes: Buffer,
  name: string,
  errors: readonly { row: number; column: string; msg: string }[],
): Promise<Uint8Array> {
  const { default: excel } = await import("exceljs");
  const book = new excel.Workbook();
  await book.xlsx.load(bytes as never);
  const sheet = book.getWorksheet(name) ?? book.worksheets[0]!;
  for (const error of errors) {
    const cell = sheet.getCell(`${error.column || "A"}${error.row}`);
    cell.fill = RED;
    cell.note = error.msg;
  }
  return new Uint8Array(await book.xlsx.writeBuffer());
}
