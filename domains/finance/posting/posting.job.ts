import { job } from "../../../platform/server/jobs/jobs.ts";
import { billVoided } from "../bill/events.contract.ts";
import { runStarted } from "./posting.contract.ts";
import { workThrough } from "./run.service.ts";
import { undoOfVoid } from "./spread.service.ts";

export default [
  job({
    name: "posting.run",
    on: runStarted,
    transaction: false,
    work: (_act, { id }, house) => workThrough(house, id),
  }),
  job({
    name: "posting.voidSpread",
    on: billVoided,
    work: (act, { billIds }) => undoOfVoid(act, billIds),
  }),
];
