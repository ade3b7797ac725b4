import { openSheet } from "../../../platform/server/sheets/foreign-sheet.ts";
import { notedSheet } from "../../../platform/server/sheets/noted-sheet.ts";
import type { SheetError } from "../../../platform/server/sheets/sheet-reading.ts";
import { SHEET } from "./columns.rules.ts";

/** The file as it came with every wrong cell red and the sentences in a column of their own. */
export async function* markedFile(bytes: Buffer, errors: readonly SheetError[]): AsyncGenerator<Uint8Array> {
  const notes = errors.map((e) => ({
    row: e.row,
    column: e.column,
    text: `${e.column && `${e.column} 列 `}${e.header && `${e.header}：`}${e.msg}`,
    wrong: true,
  }));
  yield* notedSheet(await openSheet(bytes, SHEET), { title: "错误说明", notes });
}
