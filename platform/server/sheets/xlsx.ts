import type { ExportColumn } from "../../kernel/export.ts";
import type { Kind } from "../../kernel/field.ts";
import { rowXml, workbookOf, type BookSheet } from "./book.ts";
import { cell, STYLE, textCell } from "./cell.ts";
import { columnLetters } from "./sheet-rows.ts";

export type Row = Record<string, unknown>;
export type Sheet = {
  title: string;
  columns: readonly ExportColumn[];
  /** First line: the filter in words, the moment, the person. */
  note: string;
  /** Printed in the header of every page. */
  watermark: string;
  timeZone: string;
  rows: AsyncIterable<readonly Row[]>;
  /** Asked once all rows are through. */
  sums?: () => Row | undefined;
};

/** A sheet holds 1,048,576 rows with its heads; further rows stand on a further sheet. */
const ROWS_OF_SHEET = 1_000_000;
const WIDTHS: Partial<Record<Kind, number>> = {
  money: 15,
  day: 12,
  instant: 20,
  status: 11,
  number: 11,
  phone: 15,
};

const headOf = ({ meta }: ExportColumn) => (meta.unit ? `${meta.title}（${meta.unit}）` : meta.title);

/** The rows as a workbook, made while they come: what is in memory does not grow with their number. */
export const workbook = (sheets: Sheet | AsyncIterable<Sheet>): AsyncGenerator<Buffer, void, undefined> =>
  workbookOf("rows" in sheets ? sheetsOf(sheets) : every(sheets));

async function* every(sheets: AsyncIterable<Sheet>): AsyncGenerator<BookSheet> {
  for await (const sheet of sheets) yield* sheetsOf(sheet);
}

async function* sheetsOf(sheet: Sheet): AsyncGenerator<BookSheet> {
  const source = { rows: sheet.rows[Symbol.asyncIterator](), rest: [] as readonly Row[], done: false };
  const letters = sheet.columns.map((_, i) => columnLetters(i + 1));
  const last = letters.at(-1) ?? "A";
  for (let n = 1; n === 1 || !source.done; n++) {
    const end = { row: 2 };
    yield {
      name: n === 1 ? sheet.title : `${sheet.title}${n}`,
      frozen: { rows: 2 },
      columns: sheet.columns.map(({ meta }) => ({ width: WIDTHS[meta.kind] ?? 22 })),
      rows: rowsOf(sheet, letters, source, end),
      below: () => ({
        filter: `A2:${last}${end.row}`,
        ...(letters.length > 1 && { merged: `A1:${last}1` }),
        header: `&C&14&K999999${sheet.watermark.replaceAll("&", "&&")}`,
      }),
    };
  }
}

type Source = { rows: AsyncIterator<readonly Row[]>; rest: readonly Row[]; done: boolean };

async function* rowsOf(
  sheet: Sheet,
  letters: readonly string[],
  source: Source,
  end: { row: number },
): AsyncGenerator<string> {
  const { columns, timeZone } = sheet;
  const line = (n: number, cells: (column: ExportColumn, at: string, i: number) => string) =>
    rowXml(
      n,
      columns.map((c, i) => cells(c, letters[i]! + n, i)),
    );
  yield rowXml(1, [textCell("A1", sheet.note, STYLE.note)]);
  yield line(2, (column, at) => textCell(at, headOf(column), STYLE.head));
  let next = 3;
  while (next < 3 + ROWS_OF_SHEET && (await more(source))) {
    const fits = source.rest.slice(0, 3 + ROWS_OF_SHEET - next);
    source.rest = source.rest.slice(fits.length);
    yield fits.map((row, i) => line(next + i, (c, at) => cell(at, c.meta, row[c.key], timeZone))).join("");
    next += fits.length;
  }
  end.row = next - 1;
  const sums = (await more(source)) ? undefined : sheet.sums?.();
  if (!sums) return;
  const label = columns.findIndex((c) => sums[c.key] === undefined);
  yield line(next, (c, at, i) =>
    i === label ? textCell(at, "合计", STYLE.sums.text) : cell(at, c.meta, sums[c.key], timeZone, true),
  );
}

/** True while rows are left; they lie in `rest`. */
async function more(source: Source): Promise<boolean> {
  while (!source.rest.length && !source.done) {
    const next = await source.rows.next();
    if (next.done) source.done = true;
    else source.rest = next.value;
  }
  return source.rest.length > 0;
}
