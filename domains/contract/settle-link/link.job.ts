import { job } from "../../../platform/server/jobs/jobs.ts";

export default [
  job({
    name: "settlement.devices",
    title: "清理结算确认设备",
    cron: "55 3 * * *",
    work: async ({ tx, now }) => {
      await tx.deleteFrom("settlementDevice").where("expiresAt", "<", now.toISOString()).execute();
    },
  }),
];
