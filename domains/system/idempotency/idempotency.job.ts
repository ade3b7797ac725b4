import { sql } from "kysely";
import { job } from "../../../platform/server/jobs.ts";

const KEPT_DAYS = 7;
const BATCH = 5_000;

export default [
  job({
    name: "idempotency.sweep",
    title: "清理请求编号",
    cron: "50 3 * * *",
    transaction: false,
    /** Nobody repeats a call after a week. In steps, so that no lock is held long. */
    work: async ({ tx, now }) => {
      const before = new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString();
      for (;;) {
        const { rows } = await sql`
          delete from idempotency_key where ctid = any(array(
            select ctid from idempotency_key where created_at < ${before} limit ${BATCH})) returning 1`.execute(
          tx,
        );
        if (rows.length < BATCH) return;
      }
    },
  }),
];
