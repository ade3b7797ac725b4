import type { TestHouse } from "../../../platform/server/house.sample.ts";

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
