import { PassThrough } from "node:stream";
import type ExcelJS from "exceljs";
import type { SheetRow } from "../../../platform/server/sheet-rows.ts";
import { columnNumber } from "../../../platform/server/sheet-rows.ts";
import { openSheet, type SheetError } from "./sheet.queries.ts";

const RED = { type: "pattern", pattern: "solid", fgColor: { argb: "FFFFD6D6" } } as const;

/**
 * The file as it came with every wrong cell red and the sentences in a column of their own. Both sides are streams: no
 * more than a row of it is in memory.
 */
export async function* markedFile(bytes: Buffer, errors: readonly SheetError[]): AsyncGenerator<Uint8Array> {
  const sheet = await openSheet(bytes);
  const byRow = Map.groupBy(errors, (error) => error.row);
  const out = new PassThrough();
  const { default: excel } = await import("exceljs");
  const book = new excel.stream.xlsx.WorkbookWriter({
    stream: out,
    useStyles: true,
    useSharedStrings: false,
  });
  const writing = (async () => {
    const target = book.addWorksheet(sheet.name || "房源");
    let width = 0;
    let next = 1;
    let headed = false;
    for await (const row of sheet.rows()) {
      width ||= Math.max(...row.cells.keys());
      // rows that were empty stay empty, so that the numbers in the sentences are right
      for (; next < row.number; next++) target.addRow([]).commit();
      copy(target.addRow([]), row, width, !headed, byRow.get(row.number) ?? []);
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
  head: boolean,
  errors: readonly SheetError[],
): void {
  for (const [n, cell] of from.cells)
    to.getCell(n).value = cell.kind === "number" ? Number(cell.text) : cell.text;
  const told = to.getCell(width + 1);
  const sentences = errors.map(
    (e) => `${e.column && `${e.column} 列 `}${e.header && `${e.header}：`}${e.msg}`,
  );
  told.value = [head ? "错误说明" : "", ...sentences].filter(Boolean).join("；");
  if (head) told.font = { bold: true };
  if (errors.length) told.fill = RED;
  for (const error of errors) if (error.column) to.getCell(columnNumber(error.column)).fill = RED;
  to.commit();
}
