import { addToMonth, type Month, monthOf } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
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
    const open = await stillOpen(act, month);
    const stores = await act.tx
      .selectFrom("village")
      .select(["id", "name"])
      .where("id", "=", anyOf(open))
      .orderBy("id")
      .execute();
    return eachAlone(
      stores,
      ({ name }) => name,
      ({ id }) =>
        house.database.db
          .transaction()
          .execute((tx) => work(actOf(house, tx, nobody, request), { villageIds: [id], month })),
    );
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
