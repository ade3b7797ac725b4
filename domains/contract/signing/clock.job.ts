import { job } from "../../../platform/server/jobs/jobs.ts";
import { beginDue } from "../succession/succession.service.ts";
import { expireEnded, letGoOverdue, moveRents, remindUnsigned } from "./clock.service.ts";

export default [
  job({
    name: "contract.deadline",
    title: "释放超期未签的合同",
    cron: "*/5 * * * *",
    work: (act) => letGoOverdue(act),
  }),
  job({
    name: "contract.unsigned",
    title: "待签合同提醒",
    cron: "10 9-20 * * *",
    work: (act) => remindUnsigned(act),
  }),
  job({
    name: "contract.endOfDay",
    title: "合同到期与调价",
    cron: "5 0 * * *",
    work: async (act) => {
      await beginDue(act);
      const ended = await expireEnded(act);
      await moveRents(act);
      return ended;
    },
  }),
];
