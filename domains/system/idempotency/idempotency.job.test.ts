import { expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import jobs from "./idempotency.job.ts";

const house = await testHouse();

test("keys are forgotten after a week, however many there are", async () => {
  const { pool } = house.database;
  await pool.query(
    `insert into idempotency_key (operator_id, key, call, request_hash, created_at)
     select 1, 'key-' || lpad(n::text, 8, '0'), 'POST /x', ''::bytea, now() - interval '8 days' from generate_series(1, 12000) n
     union all select 1, 'fresh-key', 'POST /x', '', now() - interval '6 days'`,
  );
  await perform(house, jobs[0]!, {}, "sweep");
  expect((await pool.query("select key from idempotency_key")).rows).toEqual([{ key: "fresh-key" }]);
});
