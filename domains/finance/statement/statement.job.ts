import { job } from "../../../platform/server/jobs/jobs.ts";
import { perform } from "./run.service.ts";
import { runAsked } from "./statement.contract.ts";

export default [
  job({
    name: "statement.run",
    on: runAsked,
    transaction: false,
    work: async (_act, { id }, house) => perform(house, id),
  }),
];
