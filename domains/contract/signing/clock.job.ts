import { job } from "../../../platform/server/jobs.ts";
import { expireEnded, letGoOverdue, moveRents } from "./clock.service.ts";

export default [
  job({
    name: "contract.deadline",
    cron: "*/5 * * * *",
    work: async (act) => {
      await letGoOverdue(act);
    },
  }),
  job({
    name: "contract.endOfDay",
    cron: "5 0 * * *",
    work: async (act) => {
      await expireEnded(act);
      await moveRents(act);
    },
  }),
];
