import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { driverOf } from "./driver.service.ts";
import { type PayOrder, orderById, orderByNo, orderByToken, shownAtTill, waysOf } from "./order.queries.ts";
import { endOrder } from "./order.service.ts";
import {
  askPayOrder,
  closePayOrder,
  getPayOrder,
  payNotify,
  payTill,
  payWays,
  readTill,
} from "./pay-order.contract.ts";
import { TILL_OFF, tillOn } from "./pay-order.rules.ts";
import { settle, refundTold } from "./settle.service.ts";
import { payAtTill, tillNotification } from "./till.service.ts";

/** One that is open, for an act by a person: in scope. What is over already is answered as it is. */
const actedOn = async (act: Act, id: number): Promise<PayOrder> => seen(act.who, await orderById(act, id));

export default [
  serveRead(payWays, async (read, { query }) => {
    if (!read.who.villages.includes(query.villageId)) throw notFound();
    return waysOf(read, query.villageId, query.purpose);
  }),

  serveRead(getPayOrder, async (read, { params }) => seen(read.who, await orderById(read, params.id))),

  serve(askPayOrder, async (act, { params }) => {
    const order = await actedOn(act, params.id);
    if (order.state !== "created") return order;
    const told = await (await driverOf(act, order.merchantAccountId)).query(order.orderNo);
    if (told) await settle(act, order.merchantAccountId, told);
    return (await orderById(act, params.id))!;
  }),

  serve(closePayOrder, async (act, { params }) => {
    const order = await actedOn(act, params.id);
    if (order.state === "created") await endOrder(act, order, "经办人关闭");
    return (await orderById(act, params.id))!;
  }),

  serve(payNotify, async (act, { params, raw }) => {
    // a stranger does not learn what an account is, or lacks
    const driver = await driverOf(act, params.account).catch((error: unknown) => {
      throw error instanceof Refusal ? notFound() : error;
    });
    const told = await driver.verify(raw);
    if (told.about === "refund") {
      await refundTold(act, told);
      return null;
    }
    // told once more of what counts already
    const order = await orderByNo(act, told.orderNo);
    if (order?.state === "paid" && order.merchantAccountId === params.account) return null;
    // what counts is what the channel says when it is asked; it tells again of what was not answered with a yes
    const asked = await driver.query(told.orderNo);
    if (asked?.state !== "paid") throw new Refusal("notPaid", "渠道查询未收款，请稍后重新通知", 409);
    await settle(act, params.account, asked);
    return null;
  }),

  serveRead(readTill, (read, { params }) => shownAtTill(read, params.token)),

  serve(payTill, async (act, { params }) => {
    const order = await orderByToken(act, params.token);
    if (!order || order.channel !== "till") throw new Refusal("notFound", "收款码不存在或已失效", 404);
    if (!tillOn(act.settings)) throw new Refusal("notAllowed", TILL_OFF);
    const paid = await payAtTill(act, order.orderNo);
    // the cashier tells of it as every channel does, and is believed for its signature
    const driver = await driverOf(act, order.merchantAccountId);
    const told = await driver.verify(tillNotification(act, order.merchantAccountId, paid));
    if (told.about === "payment") await settle(act, order.merchantAccountId, told);
    return shownAtTill(act, params.token);
  }),
];
