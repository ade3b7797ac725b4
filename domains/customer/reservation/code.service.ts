import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { frozenBy, refuseFrozen } from "../../approval/examine/frozen.service.ts";
import { earnestBill, receiveWhole } from "../../finance/earnest/earnest.service.ts";
import { collects, type Collected } from "../../finance/pay-order/collect.service.ts";
import { orderFor, type Shown } from "../../finance/pay-order/order.service.ts";
import type { CodeChannel } from "../../finance/pay-order/pay-order.rules.ts";
import { noteReservation, tellOwner } from "./hold.service.ts";
import { holdPaid } from "./pay.service.ts";
import { lockReservation, readReservation, type Reservation } from "./record.queries.ts";
import { RESERVATION_MOVES } from "./reservation.rules.ts";

const KIND = "reservation";

/** The code by which a customer pays the earnest money whole. It is good for as long as the room waits for it. */
export async function showCode(
  act: Act,
  id: number,
  { channel }: { channel?: CodeChannel | undefined },
): Promise<Shown> {
  const r = await lockReservation(act, id);
  await refuseFrozen(act, KIND, [id]);
  RESERVATION_MOVES.next("pay", r);
  if (r.status === "lapsed") throw new Refusal("notAllowed", "预订已过期，请现场收款或重新预订");
  const bill = r.billId ? await earnestBill(act, r.billId) : undefined;
  if (!bill || bill.voidedAt) throw new Refusal("notAllowed", "定金账单已作废，请取消后重新预订");
  return orderFor(act, {
    targetKind: KIND,
    targetId: id,
    villageId: r.villageId,
    partyId: r.partyId,
    roomId: r.roomId,
    title: `${r.earnestKind} ${r.number} ${r.roomName}`.slice(0, 40),
    amount: bill.outstanding,
    until: r.payUntil ? new Date(r.payUntil) : null,
    channel,
  });
}

/** Money that a channel took is never sent away: it keeps the room, or it is the customer's prepayment. */
async function take(act: Act, id: number, money: Collected) {
  const r = await readReservation(act, id, true);
  if (!r) throw notFound();
  const bill = r.billId ? await earnestBill(act, r.billId) : undefined;
  const owed = bill && !bill.voidedAt && bill.outstanding === money.amount;
  if (r.status !== "pending" || !owed || (await frozenBy(act, KIND, [id])).size) return keep(act, r, money);
  const { flowId, flowNo } = await receiveWhole(act, bill, money);
  await noteReservation(
    act,
    r,
    "收定金",
    `客户扫码支付${r.earnestKind} ${yuan(money.amount)} 元，流水 ${flowNo}`,
  );
  const held = await holdPaid(act, (await readReservation(act, id))!);
  return { flowId, outcome: held ? ("held" as const) : ("kept" as const) };
}

/** It came too late, or for what is settled otherwise. */
async function keep(act: Act, r: Reservation, money: Collected) {
  const { villageId, partyId, roomId } = r;
  const { flowId, flowNo } = await receiveWhole(act, { villageId, partyId, roomId }, money);
  const why = r.status === "lapsed" ? "预订已过期" : "预订状态已变化";
  const kept = `${why}，客户扫码支付的 ${yuan(money.amount)} 元转为预存款（流水 ${flowNo}）`;
  await noteReservation(act, r, r.status === "lapsed" ? "过期后收款" : "收款转预存", kept);
  const next =
    r.status === "lapsed" ? "房间仍空闲时，可在预订中“恢复预订”。" : "如需退回，请在退款管理中申请。";
  await tellOwner(
    act,
    r,
    `${r.status === "lapsed" ? "过期预订收到定金" : "预订收到多余款项"}：${r.partyName}`,
    `${r.number} ${kept}。${next}`,
  );
  return { flowId, outcome: "kept" as const };
}

collects({
  kind: KIND,
  lock: async (act, id) => void (await readReservation(act, id, true)),
  take,
});
