import type { Words } from "../../../platform/kernel/field.ts";
import type { Read } from "../../../platform/server/act.ts";
import { sheetTemplate } from "../../../platform/server/sheet-template.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { columnsOf, MOST_ROWS, SHEET } from "./columns.rules.ts";

/** The sources that the dictionary offers, by code. */
export const sourcesOf = async (read: Read): Promise<Words> =>
  Object.fromEntries(
    (await offered(read, "customer", "source")).map((s) => [s.code, [s.name, "grey"] as const]),
  );

/** The sheet in which people write down their tenants. */
export const templateFile = async (read: Read) =>
  sheetTemplate({
    sheet: SHEET,
    columns: columnsOf(await sourcesOf(read)).map(({ title, must, note, words }) => ({
      title,
      must,
      note,
      choices: words && Object.values(words).map(([word]) => word),
    })),
    rows: MOST_ROWS,
    megabytes: 10,
    example: "张雅婷 13812345678 身份证 … 来源：上门",
  });
