import { rowXml, workbookOf } from "./book.ts";
import { STYLE, textCell, valueCell } from "./cell.ts";
import type { CellNote } from "./cell-notes.ts";
import type { Sheet } from "./foreign-sheet.ts";
import { columnLetters, columnNumber, type Cell } from "./sheet-rows.ts";
import { headWidth } from "./sheet-template.ts";

/** What is said about a row; a wrong one is red, and so is the cell it is about. */
export type RowNote = { row: number; column?: string; text: string; wrong: boolean };

/**
 * A sheet as it came with what is said about its rows: in a column of its own when that has a title, else as notes on
 * the cells. Values stand where they stood, so that the numbers in the sentences are right. `head` is the row of the
 * headings, where that is not the first.
 */
export function notedSheet(
  sheet: Sheet,
  { title, notes, head }: { title?: string; notes: readonly RowNote[]; head?: number | undefined },
): AsyncGenerator<Uint8Array> {
  const rows = new Map(sheet.rows.map((row) => [row.number, row.cells]));
  const byRow = Map.groupBy(notes, (note) => note.row);
  const first = sheet.rows.find((row) => row.number === head) ?? sheet.rows[0];
  // a sheet of somebody's own may have values where it has no heading
  const widths = (head === undefined ? sheet.rows.slice(0, 1) : sheet.rows).map(({ cells }) =>
    Math.max(0, ...cells.keys()),
  );
  const width = widths.reduce((most, one) => Math.max(most, one), 0);
  const numbers = [...new Set([...rows.keys(), ...byRow.keys()])].sort((a, b) => a - b);
  const lines = function* () {
    for (const n of numbers) {
      const told = byRow.get(n) ?? [];
      const wrong = told.filter((note) => note.wrong);
      const red = new Set(wrong.flatMap(({ column }) => (column ? [columnNumber(column)] : [])));
      if (title === undefined && wrong.some(({ column }) => !column)) red.add(1);
      const cells = rows.get(n) ?? new Map<number, Cell>();
      const written = new Map(
        [...cells.keys(), ...red].map((i) => [
          i,
          cellXml(columnLetters(i) + n, cells.get(i), red.has(i), n === first?.number),
        ]),
      );
      if (title !== undefined) {
        const text = [n === first?.number ? title : "", ...told.map((note) => note.text)].filter(Boolean);
        const style = wrong.length ? STYLE.wrong : n === first?.number ? STYLE.sums.text : undefined;
        written.set(width + 1, valueCell(columnLetters(width + 1) + n, text.join("；"), style));
      }
      const inOrder = [...written].sort(([a], [b]) => a - b);
      yield rowXml(
        n,
        inOrder.map(([, xml]) => xml),
      );
    }
  };
  const heads = Array.from({ length: width }, (_, i) => first?.cells.get(i + 1)?.text ?? "");
  return workbookOf([
    {
      name: sheet.name,
      ...(first && { frozen: { rows: first.number } }),
      columns: [
        ...heads.map((head) => ({ width: headWidth(head), style: STYLE.text })),
        ...(title ? [{ width: 60 }] : []),
      ],
      rows: lines(),
      notes: title === undefined ? cellNotes(notes) : [],
    },
  ]);
}

/** The sheet as it came, wrong cells red with their sentence as a note. */
export const markedSheet = (
  sheet: Sheet,
  errors: readonly { row: number; column: string; msg: string }[],
  head?: number,
) => notedSheet(sheet, { notes: errors.map(({ msg, ...at }) => ({ ...at, text: msg, wrong: true })), head });

const cellXml = (at: string, cell: Cell | undefined, wrong: boolean, head: boolean): string =>
  cell?.kind === "number"
    ? valueCell(at, Number(cell.text), wrong ? STYLE.wrongNumber : STYLE.plain)
    : cell
      ? textCell(at, cell.text, wrong ? STYLE.wrong : head ? STYLE.sums.text : undefined)
      : valueCell(at, undefined, STYLE.wrong);

/** One note for each cell, whatever is said of it. */
const cellNotes = (notes: readonly RowNote[]): CellNote[] =>
  [...Map.groupBy(notes, ({ row, column }) => `${column || "A"}${row}`)].map(([at, told]) => ({
    at,
    text: told.map((note) => note.text).join("；"),
  }));
