import type { Fen } from "../../../platform/kernel/fen.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { mayPass } from "../../../platform/server/outside/transient.ts";
import { driverOf } from "./driver.service.ts";
import { hashOfToken, openOrderOf, orderById, waysOf, type PayOrder, type Way } from "./order.queries.ts";
import { expiryOf, type CodeChannel, type PayBy } from "./pay-order.rules.ts";
import { settle } from "./settle.service.ts";

export type NewOrder = {
  targetKind: string;
  targetId: number;
  villageId: number;
  partyId: number;
  roomId: number | null;
  title: string;
  amount: Fen;
  /** Until when the record waits for its money. */
  until: Date | null;
  channel?: CodeChannel | undefined;
  purpose: "rent" | "deposit";
  by?: PayBy;
  /** Who hears of what goes wrong; left out it is whoever acts. */
  createdBy?: number | null;
};

/** What a customer's phone is shown. */
export type Shown = PayOrder & { token: string };

/** The one-time address is worked out from the order's number and kept nowhere. */
const tokenOf = ({ cipher }: Pick<Read, "cipher">, orderNo: string): string =>
  cipher.hash(`pay order ${orderNo}`).toString("base64url");

const shown = (read: Read, order: PayOrder): Shown => ({ ...order, token: tokenOf(read, order.orderNo) });

/**
 * The order that a record is paid by: the one that is open, or a new one at the channel of the store's account. The
 * amount is what the record's owner says, never what a form sends. The caller has locked the record.
 */
export async function orderFor(act: Act, of: NewOrder): Promise<Shown> {
  const way = await wayFor(act, of);
  const open = await openOrderOf(act, of.targetKind, of.targetId, true);
  const fits =
    open &&
    open.amount === of.amount &&
    open.merchantAccountId === way.merchantAccountId &&
    new Date(open.expiresAt) > act.now;
  if (fits) return shown(act, open);
  if (open) {
    if ((await endOrder(act, open, "重新出示收款码")) === "paid") throw paidAlready();
  }
  const [orderNo] = await act.numbers("SK");
  const expiresAt = new Date(expiryOf(act.now.getTime(), of.until?.getTime() ?? null));
  if (expiresAt <= act.now) throw new Refusal("notAllowed", "已超过付款期限，请重新预订");
  const driver = await driverOf(act, way.merchantAccountId);
  const code = await reached(() =>
    driver.create({
      orderNo: channelNo(orderNo!),
      title: of.title,
      amount: of.amount,
      expiresAt,
      by: of.by ?? "scan",
      ip: act.ip,
    }),
  );
  const { id } = await act.tx
    .insertInto("payOrder")
    .values({
      orderNo: channelNo(orderNo!),
      villageId: of.villageId,
      partyId: of.partyId,
      roomId: of.roomId,
      targetKind: of.targetKind,
      targetId: of.targetId,
      title: of.title,
      channel: way.channel,
      merchantAccountId: way.merchantAccountId,
      amount: of.amount,
      code,
      tokenHash: hashOfToken(tokenOf(act, channelNo(orderNo!))),
      expiresAt: expiresAt.toISOString(),
      createdAt: act.now.toISOString(),
      createdBy: of.createdBy ?? (act.who.operatorId || null),
      ...stamp(act),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return shown(act, (await orderById(act, id))!);
}

/** What was paid has been booked although the act is refused. */
export const paidAlready = () => new Refusal("paid", "客户已扫码付款，请刷新后查看", 409, { keeps: true });

/**
 * Before a record is paid another way or given up: its code is taken back. Refused when it was paid already; a channel
 * that does not answer keeps its code, and what comes by it is kept for the customer.
 */
export async function withdrawCode(act: Act, kind: string, id: number, why: string): Promise<void> {
  const open = await openOrderOf(act, kind, id);
  if (!open) return;
  try {
    if ((await endOrder(act, open, why)) === "paid") throw paidAlready();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === "paid") throw error;
  }
}

/** Channels take letters and digits alone. */
const channelNo = (orderNo: string): string => orderNo.replaceAll("-", "");

/** The account that money of a purpose goes to; refused in a sentence where there is none. */
export async function wayFor(
  act: Pick<Read, "tx" | "settings">,
  of: Pick<NewOrder, "villageId" | "purpose" | "channel">,
): Promise<Way> {
  const ways = await waysOf(act, of.villageId, of.purpose);
  const way = of.channel ? ways.find((w) => w.channel === of.channel) : (ways.find((w) => !w.why) ?? ways[0]);
  if (!way) throw new Refusal("notAllowed", "该门店未配置收款账户");
  if (way.why) throw invalid({ field: "channel", msg: way.why });
  return way;
}

/** What the channel itself refuses is said; what may pass asks to try again. */
async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (mayPass(error)) throw new Refusal("unavailable", "支付渠道暂时没有响应，请稍后重试", 503);
    throw error;
  }
}

/**
 * Takes a code back. The channel is asked first: what was paid in the meantime counts. Answers what the order is now.
 */
export async function endOrder(act: Act, order: PayOrder, why: string): Promise<"closed" | "paid"> {
  const driver = await driverOf(act, order.merchantAccountId);
  const told = await reached(() => driver.query(order.orderNo));
  if (told?.state === "paid") {
    await settle(act, order.merchantAccountId, told);
    return "paid";
  }
  if (told?.state === "open") await reached(() => driver.close(order.orderNo));
  await act.tx
    .updateTable("payOrder")
    .set({ state: "closed", closeReason: why, ...stamp(act), version: NEXT_VERSION })
    .where("id", "=", order.id)
    .where("state", "=", "created")
    .execute();
  return "closed";
}
