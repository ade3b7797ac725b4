import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { whoActs } from "../../access/operator/scope.service.ts";
import { announceDue } from "./announce.service.ts";
import { carry, fellThrough, reasonOf, telling } from "./apply.service.ts";
import { changeSeen } from "./change.queries.ts";
import { priceChangeCarried } from "./change.contract.ts";

type Work<T> = (act: Act, change: Awaited<ReturnType<typeof changeSeen>>) => Promise<T>;

/** One change in a transaction of its own, as the person who handed it in; started twice, the second waits here. */
async function within<T>(house: House, id: number, operatorId: number, work: Work<T>): Promise<T> {
  const { db } = house.database;
  const who = await whoActs(db, operatorId);
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('priceChange.carry'), ${id}::int)`.execute(tx);
    const act = actOf(house, tx, who, { requestId: `priceChange ${id}`, ip: "", userAgent: "job" });
    return work(act, await changeSeen(act, id));
  });
}

export default [
  job({ name: "price.announce", title: "新价格生效通知", cron: "0 8 * * *", work: announceDue }),

  job({
    name: "priceChange.carry",
    on: priceChangeCarried,
    transaction: false,
    work: async (_act, { id, operatorId }, house) => {
      const [change, by] = [Number(id), Number(operatorId)];
      try {
        return await within(house, change, by, (act, row) =>
          carry(act, row, telling(house.database.db, change)),
        );
      } catch (error) {
        await within(house, change, by, (act, row) => fellThrough(act, row, reasonOf(error)));
        // an expected no is told; anything else is a bug
        if (!(error instanceof Refusal)) throw error;
      }
    },
  }),
];
