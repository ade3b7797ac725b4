import { addToMonth, type Month, monthOf } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { type Act, nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { runAccrual, stillOpen } from "./accrual.service.ts";
import { declareTax } from "./tax.service.ts";

/** The month before, store by store, each in a transaction of its own. Answers how much was done. */
const eachOpen =
  (work: (act: Act, of: { villageIds: number[]; month: Month }) => Promise<number>) =>
  async (act: Act, _data: unknown, house: House): Promise<number> => {
    const request = { requestId: act.requestId, ip: "", userAgent: "job" };
    const month = addToMonth(monthOf(act.today), -1);
    let done = 0;
    for (const villageId of await stillOpen(act, month))
      done += await house.database.db
        .transaction()
        .execute((tx) => work(actOf(house, tx, nobody, request), { villageIds: [villageId], month }));
    return done;
  };

export default [
  job({
    name: "accrual",
    title: "收入计提",
    cron: "0 2 1 * *",
    transaction: false,
    work: eachOpen(async (act, of) => (await runAccrual(act, of)).reduce((sum, { rows }) => sum + rows, 0)),
  }),
  job({
    name: "taxDeclare",
    title: "未开票税金申报",
    cron: "30 2 1 * *",
    transaction: false,
    work: eachOpen(async (act, of) => (await declareTax(act, of)).reduce((sum, { lines }) => sum + lines, 0)),
  }),
];
