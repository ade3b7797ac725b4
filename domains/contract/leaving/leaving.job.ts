import { job } from "../../../platform/server/jobs/jobs.ts";
import { leavingsStarted } from "./leaving.contract.ts";
import { workThrough } from "./leaving.service.ts";

export default [
  job({
    name: "settlement.batch",
    on: leavingsStarted,
    transaction: false,
    work: (_act, { id }, house) => workThrough(house, Number(id)),
  }),
];
