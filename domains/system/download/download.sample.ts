import { openBook } from "../../../platform/server/sheets/book.sample.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { createDownload } from "./download.contract.ts";

/** So many lines in the operation log of the house's enterprise, an hour ago. */
export async function someOperations(house: TestHouse, count: number, name = "周敏"): Promise<void> {
  await house.database.pool.query(
    `insert into operation_log (at, enterprise_id, operator_name, permit, summary, method, path, outcome, http_status,
       duration_ms, request_id)
     select now() - interval '1 hour' - n * interval '1 ms', $1, $2, '26.edit', '修改账单', 'PUT', '/x/' || n, 'ok', 200,
       n, 'r' || n from generate_series(1, $3) n`,
    [house.enterpriseId, name, count],
  );
}

/** Exports the operation log. */
export const takeList = (house: TestHouse, as: Person, more: object = {}) =>
  house.ask(createDownload, { as }, { body: { type: "operationLog", ...more } });

/** More than fit into an answer: the file comes through a task, whose id this is. */
export async function queuedTask(house: TestHouse, as: Person): Promise<number> {
  const { body } = await takeList(house, as, { query: { keyword: "大批" } });
  return (body as unknown as { data: { id: number } }).data.id;
}

/** What stands in the first sheet, row by row. */
export async function rowsOf(workbook: Buffer): Promise<unknown[][]> {
  const [sheet] = await openBook(workbook);
  return sheet!.rows.map(({ values }) => values);
}
