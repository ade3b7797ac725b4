import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import {
  type PaymentTold,
  type CodeChannel,
  type Outcome,
  type RefundTold,
  misfit,
} from "./pay-order.rules.ts";
import { type PayOrder, orderByNo } from "./order.queries.ts";

/**
 * A payment that a channel tells of, from wherever: a notification, a question, the embedded cashier. The order's number
 * makes it count once; the record that is paid moves in the same transaction. An amount that is not the order's is booked
 * nowhere unless its record takes any: whoever showed the code is told, and so is the channel, which will tell again.
 */
export async function settle(act: Act, accountId: number, told: PaymentTold): Promise<PayOrder | undefined> {
  if (told.state !== "paid") return undefined;
  const seen = await orderByNo(act, told.orderNo);
  // another account's order is none here: its notification was not signed for it
  if (!seen || seen.merchantAccountId !== accountId) throw new Refusal("notFound", "收款单不存在", 404);
  const collector = collectorOf(seen.targetKind);
  await collector.lock(act, seen.targetId);
  const order = (await orderByNo(act, told.orderNo, true))!;
  if (order.state === "paid") return order;
  const problem = misfit(order, told);
  if (problem && !(collector.anyAmount && told.amount > 0)) return refuseAmount(act, order, problem);
  const paidAt = new Date(Math.min(new Date(told.paidAt).getTime(), act.now.getTime())).toISOString();
  const { flowId, outcome } =
    (await recorded(act, order, told.tradeNo)) ??
    (await collector.take(act, order.targetId, {
      amount: told.amount,
      channel: order.channel,
      merchantAccountId: order.merchantAccountId,
      paidAt,
      payerName: told.payer,
      channelTradeNo: told.tradeNo,
      outTradeNo: order.orderNo,
    }));
  await act.tx
    .updateTable("payOrder")
    .set({
      state: "paid",
      paidAt,
      channelTradeNo: told.tradeNo,
      flowId,
      outcome,
      problem: problem ?? "",
      updatedAt: act.now.toISOString(),
      version: NEXT_VERSION,
    })
    .where("id", "=", order.id)
    .execute();
  return { ...order, state: "paid", paidAt, flowId, outcome };
}

/**
 * Somebody booked the payment by hand before the channel told of it, from its statement say: it is not booked again. While that
 * waits to be confirmed the channel is refused, and tells again.
 */
async function recorded(
  act: Act,
  order: PayOrder,
  tradeNo: string,
): Promise<{ flowId: number; outcome: Outcome } | undefined> {
  const flow = await act.tx
    .selectFrom("flow")
    .select(["id", "flowNo"])
    .where("channel", "=", order.channel)
    .where("channelTradeNo", "=", tradeNo)
    .where("merchantAccountId", "=", order.merchantAccountId)
    .where("state", "=", "confirmed")
    .executeTakeFirst();
  if (!flow) return undefined;
  if (order.createdBy)
    await tell(act, {
      to: [order.createdBy],
      type: 2,
      title: `收款单已有补录流水：${order.title}`,
      content: `${order.orderNo} 的付款 ${tradeNo} 已补录为流水 ${flow.flowNo}，不再重复入账，请核对该流水的分配。`,
      bizType: "flow",
      bizId: flow.id,
      villageId: order.villageId,
      once: `payOrder.recorded.${order.id}`,
    });
  return { flowId: flow.id, outcome: "kept" };
}

/** Written down although the answer is no, so that people see it. */
async function refuseAmount(act: Act, order: PayOrder, problem: string): Promise<never> {
  await act.tx.updateTable("payOrder").set({ problem }).where("id", "=", order.id).execute();
  if (order.createdBy && !order.problem)
    await tell(act, {
      to: [order.createdBy],
      type: 2,
      title: `收款金额不符：${order.title}`,
      content: `${order.orderNo} 应收 ${yuan(order.amount)} 元，${problem}，未入账，请与支付渠道核对。`,
      bizType: order.targetKind,
      bizId: order.targetId,
      villageId: order.villageId,
      once: `payOrder.amount.${order.id}`,
    });
  throw new Refusal("amountDiffers", problem, 409, { keeps: true });
}

/** Money that a channel says it has taken for a record. */
export type Collected = {
  amount: Fen;
  channel: CodeChannel;
  merchantAccountId: number;
  paidAt: string;
  payerName: string;
  channelTradeNo: string;
  outTradeNo: string;
};

/**
 * A kind of record that customers pay by a code, registered by the domain that owns it. It takes the money in the
 * transaction of the channel's notification and never refuses it: what cannot be used for the record is kept for the
 * customer.
 */
export type Collector = {
  kind: string;
  /** True where another amount than the order's is taken too, as the customer's prepayment. */
  anyAmount?: boolean;
  /** The record is locked before its order, as when a code is shown. */
  lock: (act: Act, id: number) => Promise<void>;
  take: (act: Act, id: number, money: Collected) => Promise<{ flowId: number; outcome: Outcome }>;
};

const known = new Map<string, Collector>();

/** Registers a kind of record; called once, by the file that takes its money. */
export function collects(collector: Collector): void {
  known.set(collector.kind, collector);
}

export function collectorOf(kind: string): Collector {
  const found = known.get(kind);
  if (!found) throw new Error(`nobody collects for ${kind}`);
  return found;
}

/** Whoever sends money back through channels hears what became of it. */
type Listener = (act: Act, told: RefundTold) => Promise<void>;
const listeners: Listener[] = [];

/** Registers who books refunds; called once, by the file that does. */
export const hearsOfRefunds = (listener: Listener): void => void listeners.push(listener);

export async function refundTold(act: Act, told: RefundTold): Promise<void> {
  for (const listener of listeners) await listener(act, told);
}
