import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { dropExamines, frozenBy, refuseFrozen } from "../../approval/examine/propose.service.ts";
import {
  earnestBill,
  freeEarnest,
  receiveWhole,
  refuseUnconfirmed,
} from "../../finance/earnest/earnest.service.ts";
import { type Collected, collects } from "../../finance/pay-order/settle.service.ts";
import { type Shown, orderFor, withdrawCode } from "../../finance/pay-order/order.service.ts";
import type { CodeChannel } from "../../finance/pay-order/pay-order.rules.ts";
import { refundEarnest } from "../../finance/refund/refund.service.ts";
import {
  changeRoomNow,
  forfeitNow,
  proposeBelow,
  proposeForfeit,
  roomOf,
} from "../reservation/approval.service.ts";
import { broughtBy } from "../commission/outlook.service.ts";
import { below, rulesOf } from "../reservation/create.service.ts";
import { agreeOn, endWithout, move, noteReservation, tellOwner } from "../reservation/hold.service.ts";
import { holdPaid } from "./pay.service.ts";
import { type Reservation, lockReservation, readReservation } from "../reservation/record.queries.ts";
import {
  CONTRACT_ADD,
  RESERVATION_MOVES,
  type Rent,
  contractRent,
  holdRefusal,
} from "../reservation/reservation.rules.ts";

/** The record for an act by a person: locked, in scope, as they saw it, and not waiting for approval. */
async function actedOn(act: Act, id: number, version: number): Promise<Reservation> {
  const r = await lockReservation(act, id);
  agreeOn(r, version);
  await refuseFrozen(act, "reservation", [id]);
  return r;
}

export async function extend(
  act: Act,
  id: number,
  { version, holdUntil }: { version: number; holdUntil: string },
): Promise<void> {
  const r = await actedOn(act, id, version);
  const state = RESERVATION_MOVES.next("extend", r);
  const { maxDays } = await rulesOf(act, r.villageId);
  const why =
    holdUntil <= r.holdUntil
      ? `须晚于原保留日 ${r.holdUntil}`
      : holdRefusal(holdUntil, r.heldOn ?? act.today, act.today, maxDays);
  if (why) throw invalid({ field: "holdUntil", msg: why });
  await move(act, r, state, { holdUntil });
  await noteReservation(act, r, "延期", `保留至 ${r.holdUntil} → ${holdUntil}`, {
    before: { holdUntil: r.holdUntil },
    after: { holdUntil },
  });
}

/** Another room for the same customer and money; below its lowest price it waits where a process says so. */
export async function changeRoom(
  act: Act,
  id: number,
  { version, ...change }: Rent & { version: number; roomId: number },
): Promise<string | null> {
  const r = await actedOn(act, id, version);
  RESERVATION_MOVES.next("changeRoom", r);
  if (change.roomId === r.roomId) throw invalid({ field: "roomId", msg: "请选择另一间房" });
  await roomOf(act, change.roomId, r.villageId);
  const under = await below(act, change.roomId, r.moveInDay, change);
  const waiting = under ? await proposeBelow(act, r, under, change) : null;
  if (!waiting) await changeRoomNow(act, r, change);
  return waiting;
}

/** Unpaid it is given up freely; what was paid goes back by a refund, and the room is free at once. */
export async function cancel(
  act: Act,
  id: number,
  { version, reason, refund }: { version: number; reason: string; refund: boolean },
): Promise<{ refundNo: string | null }> {
  const r = await lockReservation(act, id);
  agreeOn(r, version);
  if (r.status === "pending") {
    const state = RESERVATION_MOVES.next("cancel", r);
    await withdrawCode(act, "reservation", id, "预订已取消");
    // whatever was paid of it in part goes to the party's prepaid money
    if (r.billId) await freeEarnest(act, r.billId, `预订 ${r.number} 取消：${reason}`);
    await endWithout(act, r, state, reason);
    await dropExamines(act, "reservation", [id], `预订已取消：${reason}`);
    await noteReservation(act, r, "取消预订", `${reason}，释放 ${r.roomName}`);
    return { refundNo: null };
  }
  await refuseFrozen(act, "reservation", [id]);
  if (!refund) {
    const state = RESERVATION_MOVES.next("giveUp", r);
    await endWithout(act, r, state, reason);
    await noteReservation(act, r, "取消预订", `${reason}，释放 ${r.roomName}`);
    return { refundNo: null };
  }
  RESERVATION_MOVES.next("refund", r);
  // the refund moves the reservation along with it
  const { refundNo } = await refundEarnest(act, r.billId!, `预订 ${r.number} 取消：${reason}`);
  return { refundNo };
}

/**
 * Ends a reservation on behalf of a record that needs its room no longer. Left alone where a contract is being signed from it, where it
 * waits for approval, or where money stands in it: people decide about that.
 */
export async function letGo(act: Act, id: number, reason: string): Promise<void> {
  const r = await lockReservation(act, id);
  if (RESERVATION_MOVES.refusal(r.status === "pending" ? "cancel" : "giveUp", r)) return;
  if (r.status === "held" && (await frozenBy(act, "reservation", [id])).size) return;
  await cancel(act, id, { version: r.version, reason, refund: false });
}

export async function forfeit(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<string | null> {
  const r = await lockReservation(act, id);
  RESERVATION_MOVES.next("forfeit", r);
  agreeOn(r, version);
  const waiting = await proposeForfeit(act, r, reason);
  if (!waiting) await forfeitNow(act, r, reason);
  return waiting;
}

/** The contract form begins with what was agreed; the reservation itself moves when the contract is handed in. */
export async function startOfContract(act: Act, id: number, version: number) {
  const r = await actedOn(act, id, version);
  if (!act.who.permits.has(CONTRACT_ADD[r.partyKind])) throw forbidden();
  RESERVATION_MOVES.next("convert", r);
  if (r.moveInDay < act.today && r.plannedEndDay !== null && r.plannedEndDay < act.today)
    throw new Refusal("notAllowed", "预订的租期已过，请重新预订");
  const brought = await broughtBy(act, r.leadId);
  const own = await theRow(act, "reservation", ["agentId"], { id });
  await noteReservation(act, r, "转合同", `为${r.partyName}填写 ${r.roomName} 的合同`);
  return {
    kind: r.partyKind,
    villageId: r.villageId,
    partyId: r.partyId,
    roomId: r.roomId,
    start: r.moveInDay,
    end: r.plannedEndDay,
    ...contractRent(r, r.area),
    payPlan: r.payPlan,
    channel: brought.channel,
    agentId: own.agentId ?? brought.agentId,
  };
}

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
  await refuseUnconfirmed(act, bill);
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
    purpose: "deposit",
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
