import { job } from "../../../platform/server/jobs/jobs.ts";
import { syncFunctions } from "./function.service.ts";

export default [
  job({
    name: "functions.sync",
    atStart: true,
    transaction: false,
    work: (_act, _data, house) => syncFunctions(house.database.pool),
  }),
];
