import { sql } from "kysely";
import { job } from "../../../platform/server/jobs/jobs.ts";

export default [
  job({
    name: "reconcile.waits",
    title: "到期的跨日等待重新列为差异",
    cron: "20 3 * * *",
    work: async (act) => {
      const { numAffectedRows } = await sql`
        update reconcile_item set resolution = null, wait_until = null, resolved_at = null, resolved_by = null,
          version = version + 1
        where resolution = 'wait' and wait_until < ${act.today}`.execute(act.tx);
      return Number(numAffectedRows ?? 0);
    },
  }),
];
