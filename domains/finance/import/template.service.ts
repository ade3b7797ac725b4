import { sheetTemplate } from "../../../platform/server/sheets/sheet-template.ts";
import { COLUMNS, MOST_ROWS, SHEET } from "./columns.rules.ts";

/** The sheet in which people write down bills, one to a row. */
export const templateFile = () =>
  sheetTemplate({
    sheet: SHEET,
    columns: COLUMNS.map(({ title, key, must, note }) => ({ title, must, note, number: key === "amount" })),
    rows: MOST_ROWS,
    megabytes: 30,
    example: COLUMNS.map((c) => c.example).join("　"),
  });
