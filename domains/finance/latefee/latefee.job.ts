import { nobody } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { freezeMonth, monthEnd, monthlyVillages } from "./latefee.service.ts";

/** Bills whose fee is written down in one transaction. */
const BATCH = 200;

export default [
  job({
    name: "lateFeeFreeze",
    title: "滞纳金按月入账",
    cron: "0 1 1 * *",
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      const villageIds = await monthlyVillages(act);
      const until = monthEnd(act.today);
      let after: number | undefined = villageIds.length ? 0 : undefined;
      while (after !== undefined) {
        const from: number = after;
        after = await db
          .transaction()
          .execute((tx) =>
            freezeMonth(actOf(house, tx, nobody, request), { villageIds, until, after: from, limit: BATCH }),
          );
      }
    },
  }),
];
