import { job } from "../../../platform/server/jobs/jobs.ts";
import { examineEnded } from "../../approval/examine/examine.contract.ts";
import { reopen } from "../act/part.service.ts";

export default [
  job({
    name: "amendment.examined",
    on: examineEnded,
    /** What was not approved is worked on again, and lets go of the rooms that it held. */
    work: async (act, data) => {
      if (data.kind === "amendment" && ["rejected", "withdrawn"].includes(data.state))
        await reopen(act, data.recordId);
    },
  }),
];
