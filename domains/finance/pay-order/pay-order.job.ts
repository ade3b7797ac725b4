import { sql } from "kysely";
import { eachAlone } from "../../../platform/server/jobs/by-itself.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { accountClosed } from "../account/account.contract.ts";
import { driverOf } from "./driver.service.ts";
import { orderById } from "./order.queries.ts";
import { endOrder } from "./order.service.ts";
import { settle } from "./settle.service.ts";

const REQUEST = { requestId: "", ip: "", userAgent: "" };
/** Seconds after which a channel that has not told anything is asked again. */
const ASK_EVERY = 60;

/** Asks after one order, or ends it when its time is up; each in a transaction of its own. */
export async function tend(house: House, id: number): Promise<void> {
  await house.database.db.transaction().execute(async (tx) => {
    const act = actOf(house, tx, nobody, REQUEST);
    const order = await orderById(act, id);
    if (order?.state !== "created") return;
    try {
      if (new Date(order.expiresAt) <= act.now) return void (await endOrder(act, order, "超过有效期"));
      const told = await (await driverOf(act, order.merchantAccountId)).query(order.orderNo);
      if (told) await settle(act, order.merchantAccountId, told);
    } catch (error) {
      // a channel that does not answer or contradicts itself is asked again; what it said wrong stands on the order
      if (!(error instanceof Refusal) && !mayPass(error)) throw error;
    }
    await act.tx
      .updateTable("payOrder")
      .set({ askedAt: act.now.toISOString() })
      .where("id", "=", id)
      .execute();
  });
}

type Closed = { merchantAccountId: number; villageId: number | null };

/** Ends the codes that are shown for an account which takes no more money, each in a transaction of its own; what was paid meanwhile counts. */
export async function endOrders(house: House, of: Closed): Promise<void> {
  const { db } = house.database;
  const { rows } = await sql<{ id: number; orderNo: string }>`
    select id, order_no "orderNo" from pay_order where state = 'created' and merchant_account_id = ${of.merchantAccountId}
      and (${of.villageId}::bigint is null or village_id = ${of.villageId}) order by id`.execute(db);
  await eachAlone(
    rows,
    ({ orderNo }) => orderNo,
    ({ id }) =>
      db.transaction().execute(async (tx) => {
        const act = actOf(house, tx, nobody, REQUEST);
        const order = await orderById(act, id);
        if (order?.state === "created") await endOrder(act, order, "收款账户已停用");
      }),
  );
}

export default [
  job({
    name: "payOrder.tend",
    title: "查询与关闭收款码",
    cron: "* * * * *",
    transaction: false,
    work: async ({ now }, _data, house) => {
      const before = new Date(now.getTime() - ASK_EVERY * 1000).toISOString();
      const { rows } = await sql<{ id: number; orderNo: string }>`
        select id, order_no "orderNo" from pay_order where state = 'created'
          and (expires_at <= ${now.toISOString()} or (channel <> 'till' and coalesce(asked_at, created_at) <= ${before}))
        order by expires_at limit 500`.execute(house.database.db);
      return eachAlone(
        rows,
        ({ orderNo }) => orderNo,
        ({ id }) => tend(house, id),
      );
    },
  }),
  job({
    name: "payOrder.close",
    on: accountClosed,
    transaction: false,
    work: async (_act, { merchantAccountId, villageId }, house) =>
      endOrders(house, {
        merchantAccountId: Number(merchantAccountId),
        villageId: villageId === null ? null : Number(villageId),
      }),
  }),
];
