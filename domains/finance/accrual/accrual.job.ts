import { addToMonth, monthOf } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { runAccrual, stillOpen } from "./accrual.service.ts";

export default [
  job({
    name: "accrual",
    title: "收入计提",
    cron: "0 2 1 * *",
    transaction: false,
    work: async (act, _data, house) => {
      const { db } = house.database;
      const request = { requestId: act.requestId, ip: "", userAgent: "job" };
      const month = addToMonth(monthOf(act.today), -1);
      let rows = 0;
      for (const villageId of await stillOpen(act, month))
        for (const run of await db
          .transaction()
          .execute((tx) => runAccrual(actOf(house, tx, nobody, request), { villageIds: [villageId], month })))
          rows += run.rows;
      return rows;
    },
  }),
];
