import { job } from "../../../platform/server/jobs/jobs.ts";
import { billVoided } from "../bill/events.contract.ts";
import { undoOfVoid } from "./spread.service.ts";

export default [
  job({
    name: "posting.voidSpread",
    on: billVoided,
    work: (act, { billIds }) => undoOfVoid(act, billIds),
  }),
];
