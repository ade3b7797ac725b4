import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { signingOutside } from "../esign/esign.contract.ts";
import { dueFlows } from "./outside.queries.ts";
import { tend } from "./tend.service.ts";

export default [
  job({
    name: "contract.signOutside",
    on: signingOutside,
    transaction: false,
    // what fails is due again by itself
    retries: 0,
    work: async (_act, { flowId }, house) => tend(house, flowId),
  }),
  job({
    name: "contract.signOutsideDue",
    title: "办理与查询外部电子签署",
    cron: "* * * * *",
    transaction: false,
    work: async (act, _data, house) => {
      const due = await dueFlows(act);
      return eachAlone(due, String, (flowId) => tend(house, flowId));
    },
  }),
];
