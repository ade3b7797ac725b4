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
      await checkLedger(act, "nightly");
    },
  }),
];
