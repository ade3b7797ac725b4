import { sql } from "kysely";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { checkAsked } from "./check.contract.ts";
import { checkLedger, runAsked } from "./check.service.ts";

export default [
  job({
    name: "ledgerCheck.asked",
    on: checkAsked,
    transaction: false,
    work: async (_act, { id }, house) => runAsked(house, id),
  }),
  job({
    name: "ledgerCheck",
    title: "账务核对",
    cron: "0 3 * * *",
    work: async (act) => {
      // on one core: the others are for who works at night
      await sql`set local max_parallel_workers_per_gather = 0`.execute(act.tx);
      await checkLedger(act, "nightly");
    },
  }),
];
