import { job } from "../../../platform/server/jobs/jobs.ts";
import { checkLedger } from "./check.service.ts";

export default [
  job({
    name: "ledgerCheck",
    title: "账务核对",
    cron: "0 3 * * *",
    work: async (act) => {
      await checkLedger(act, "nightly");
    },
  }),
];
