import { job } from "../../../platform/server/jobs/jobs.ts";

const KEPT_DAYS = 92;

export default [
  job({
    name: "lostPage.sweep",
    title: "清理失效地址统计",
    cron: "55 3 * * *",
    transaction: false,
    work: async ({ tx, now }) => {
      await tx
        .deleteFrom("lostPage")
        .where("lastAt", "<", new Date(now.getTime() - KEPT_DAYS * 86_400_000).toISOString())
        .execute();
    },
  }),
];
