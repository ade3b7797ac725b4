import { job } from "../../../platform/server/jobs/jobs.ts";
import { endOver } from "./activity.service.ts";

export default [
  job({ name: "activities.end", title: "优惠活动到期结束", cron: "5 0 * * *", work: (act) => endOver(act) }),
];
