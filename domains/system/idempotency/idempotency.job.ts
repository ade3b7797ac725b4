import { sweepKeys } from "../../../platform/server/pipeline/idempotency.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";

const KEPT_DAYS = 7;

export default [
  job({
    name: "idempotency.sweep",
    title: "清理请求编号",
    cron: "50 3 * * *",
    transaction: false,
    /** Nobody repeats a call after a week. */
    work: ({ tx, now }) => sweepKeys(tx, new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString()),
  }),
];
