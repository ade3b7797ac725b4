import { sheetTemplate } from "../../../platform/server/sheet-template.ts";
import { COLUMNS, MOST_ROWS, SHEET } from "./columns.rules.ts";

/** The sheet in which people write down their tenants. */
export const templateFile = () =>
  sheetTemplate({
    sheet: SHEET,
    columns: COLUMNS.map(({ title, must, note, words }) => ({
      title,
      must,
      note,
      choices: words && Object.values(words).map(([word]) => word),
    })),
    rows: MOST_ROWS,
    megabytes: 10,
    example: "张雅婷 13812345678 身份证 … 来源：上门",
  });
