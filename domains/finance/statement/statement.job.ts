import { job } from "../../../platform/server/jobs/jobs.ts";
import { fetchBills } from "./fetch.service.ts";
import { perform } from "./run.service.ts";
import { runAsked } from "./statement.contract.ts";

export default [
  job({
    name: "statement.run",
    on: runAsked,
    transaction: false,
    work: async (_act, { id }, house) => perform(house, Number(id)),
  }),
  job({
    name: "statementFetch",
    title: "下载渠道账单",
    cron: "30 10-17 * * *",
    transaction: false,
    work: async (_act, _data, house) => fetchBills(house),
  }),
];
