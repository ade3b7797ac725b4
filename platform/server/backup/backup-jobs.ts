import type { Pool, PoolClient } from "pg";
import { PgBoss } from "pg-boss";
import { JOB_SCHEMA } from "../jobs/jobs.ts";

export type WaitingJob = {
  name: string;
  data: object;
  startAfter: string;
  retryLimit: number;
  priority: number;
};

/** What is queued or under way, as the caller's transaction sees it. */
export async function waitingJobs(client: PoolClient): Promise<WaitingJob[]> {
  const table = `${JOB_SCHEMA}.job`;
  const { rows } = await client.query<{ there: boolean }>("select to_regclass($1) is not null as there", [
    table,
  ]);
  if (!rows[0]!.there) return [];
  const waiting = await client.query<WaitingJob>(
    `select name, data, start_after as "startAfter", retry_limit as "retryLimit", priority
     from ${table} where state in ('created', 'retry', 'active') order by created_on`,
  );
  return waiting.rows;
}

/**
 * Makes the queues ready, then gives `work` a function that replaces all queued jobs by these in the transaction of a
 * client: jobs and data come back together or not at all.
 */
export async function queueAnew(
  pool: Pool,
  jobs: WaitingJob[],
  work: (queueJobs: (client: PoolClient) => Promise<void>) => Promise<void>,
): Promise<void> {
  const sql = (client: Pool | PoolClient) => ({
    executeSql: (text: string, values?: unknown[]) => client.query(text, values),
  });
  const boss = new PgBoss({ db: sql(pool), schema: JOB_SCHEMA, supervise: false, schedule: false });
  boss.on("error", () => {});
  await boss.start();
  try {
    const queues = Map.groupBy(jobs, ({ name }) => name);
    for (const name of queues.keys()) await boss.createQueue(name);
    await work(async (client) => {
      await client.query(`delete from ${JOB_SCHEMA}.job`);
      for (const [name, waiting] of queues)
        await boss.insert(
          name,
          waiting.map(({ name: _, ...rest }) => rest),
          { db: sql(client) },
        );
    });
  } finally {
    await boss.stop();
  }
}
