import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { sheetTemplate } from "../../../platform/server/sheets/sheet-template.ts";
import type { Code } from "../overview/overview.rules.ts";
import { keptTargets, namedStores, wholeYear } from "../target/target.queries.ts";
import { monthsOf } from "../target/target.rules.ts";
import { COLUMNS, MOST_ROWS, rowOf, SHEET } from "./columns.rules.ts";

type Asked = { year: number; code: Code; villageIds?: readonly number[] | undefined };

/** The year of each store in sight. */
export async function yearsOf(read: Read, { year, code, villageIds }: Asked) {
  const villages = villagesOf(read.who, villageIds);
  const [names, kept] = await Promise.all([
    namedStores(read, villages),
    keptTargets(read, [code], villages, wholeYear(year)),
  ]);
  const at = new Map(kept.map((k) => [`${k.villageId} ${k.month}`, k.value]));
  return names.map(({ id, name }) => ({
    name,
    values: monthsOf(year).map((month) => at.get(`${id} ${month}`) ?? null),
  }));
}

/** The sheet of a year as it stands, to be changed. */
export const template = async (read: Read, asked: Asked) =>
  sheetTemplate({
    sheet: SHEET,
    columns: COLUMNS,
    rows: MOST_ROWS,
    megabytes: 10,
    example: "滨江店 出租率 2026 1月：96%",
    filled: (await yearsOf(read, asked)).map(({ name, values }) => rowOf({ ...asked, name }, values)),
  });
