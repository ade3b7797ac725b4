import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import {
  type Money,
  billEarnest,
  earnestBill,
  freeEarnest,
  payFromPrepaid,
  receiveWhole,
  refuseUnconfirmed,
} from "../../finance/earnest/earnest.service.ts";
import { release } from "../../listing/occupancy/occupancy.service.ts";
import { withdrawCode } from "../../finance/pay-order/order.service.ts";
import { rulesOf } from "../reservation/create.service.ts";
import { refuseHeldOver } from "../reservation/approval.service.ts";
import {
  agreeOn,
  becomeHeld,
  lapse,
  move,
  noteReservation,
  payBy,
  takeRoom,
  tellOwner,
} from "../reservation/hold.service.ts";
import { lockReservation, readReservation, type Reservation } from "../reservation/record.queries.ts";
import { holdRefusal, RESERVATION_MOVES } from "../reservation/reservation.rules.ts";
import { leadFree, leadReserved } from "../lead/step.service.ts";

export type Paid = { flowNo: string; state: "held" | "waiting" | "kept" };

/**
 * Takes the earnest money whole and keeps the room, in one transaction. What comes after the lapse stays with the party
 * as 预存款 and the owner is told; so does what comes for a room that is somebody else's by then.
 */
export async function pay(act: Act, id: number, money: Money & { amount: Fen }): Promise<Paid> {
  const r = await lockReservation(act, id);
  await refuseFrozen(act, "reservation", [id]);
  RESERVATION_MOVES.next("pay", r);
  const bill = r.billId ? await earnestBill(act, r.billId) : undefined;
  if (r.status === "lapsed") {
    if (r.held > 0) throw new Refusal("notAllowed", "定金已收，请恢复预订、退款或没收");
    return keepLate(act, r, money);
  }
  if (!bill || bill.voidedAt) throw new Refusal("notAllowed", "定金账单已作废，请取消后重新预订");
  if (money.amount !== bill.outstanding)
    throw invalid({ field: "amount", msg: `须一次收齐 ${yuan(bill.outstanding)} 元` });
  await refuseUnconfirmed(act, bill);
  await withdrawCode(act, "reservation", id, "已现场收款");
  const { flowNo, state } = await receiveWhole(act, bill, money);
  if (state === "pending") {
    await noteReservation(act, r, "收定金", `流水 ${flowNo} 待确认`);
    return { flowNo, state: "waiting" };
  }
  await noteReservation(act, r, "收定金", `收${r.earnestKind} ${yuan(money.amount)} 元，流水 ${flowNo}`);
  const held = await holdPaid(act, (await readReservation(act, id))!);
  return { flowNo, state: held ? "held" : "kept" };
}

/** The money is there: the room is kept, or, when it went to somebody else before, the money stays with the party. */
export async function holdPaid(act: Act, r: Reservation): Promise<boolean> {
  try {
    await becomeHeld(act, r);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "roomTaken") throw error;
    await freeEarnest(act, r.billId!, `预订 ${r.number} 的房间已被占用，转预存款`);
    await lapse(act, { ...r, held: 0 }, `${error.message}，${r.earnestKind}转为预存款`);
    return false;
  }
}

/** Its receipt was reversed: it is kept no more and waits for the money as at first, then lapses. */
export async function awaitAgain(act: Act, r: Reservation): Promise<void> {
  const state = RESERVATION_MOVES.next("askAgain", r);
  const { unpaidMinutes } = await rulesOf(act, r.villageId);
  const payUntil = payBy(act, unpaidMinutes, r.holdUntil);
  if (unpaidMinutes === 0) await release(act, { reservationId: r.id });
  await move(act, r, state, { payUntil, heldAt: null, heldOn: null });
  await leadFree(act, r.leadId);
  const why = `${r.earnestKind}的收款已冲销，${unpaidMinutes ? `请在 ${unpaidMinutes} 分钟内重新收取，逾期释放房间` : "房间已释放，收齐后重新保留"}`;
  await noteReservation(act, r, "收款冲销", why);
  await tellOwner(act, r, `预订待付定金：${r.partyName} ${r.roomName}`, `${r.number} ${why}。`);
}

async function keepLate(act: Act, r: Reservation, money: Money & { amount: Fen }): Promise<Paid> {
  if (money.amount !== r.earnest) throw invalid({ field: "amount", msg: `须一次收齐 ${yuan(r.earnest)} 元` });
  const { flowNo } = await receiveWhole(
    act,
    { villageId: r.villageId, partyId: r.partyId, roomId: r.roomId },
    money,
  );
  const kept = `预订已过期，收到的${r.earnestKind} ${yuan(money.amount)} 元转为预存款（流水 ${flowNo}）`;
  await noteReservation(act, r, "过期后收款", kept);
  await tellOwner(
    act,
    r,
    `过期预订收到定金：${r.partyName}`,
    `${r.number} ${kept}。房间仍空闲时，可在预订中“恢复预订”。`,
  );
  return { flowNo, state: "kept" };
}

/** Takes the room of a lapsed reservation again: on the money that is still held, or on what came too late. */
export async function restore(
  act: Act,
  id: number,
  { version, holdUntil }: { version: number; holdUntil: string },
): Promise<void> {
  const r = await lockReservation(act, id);
  agreeOn(r, version);
  await refuseFrozen(act, "reservation", [id]);
  const state = RESERVATION_MOVES.next("restore", r);
  const { maxDays } = await rulesOf(act, r.villageId);
  const why = holdRefusal(holdUntil, act.today, act.today, maxDays);
  if (why) throw invalid({ field: "holdUntil", msg: why });
  if (r.plannedEndDay !== null && r.plannedEndDay < act.today)
    throw new Refusal("notAllowed", "预订的租期已过，请重新预订");
  await refuseHeldOver(act, r.roomId);
  await takeRoom(act, r);
  let { billId } = r;
  if (r.earnest > 0 && r.held === 0) {
    const of = { villageId: r.villageId, roomId: r.roomId, partyId: r.partyId, sourceId: r.id };
    const bill = await billEarnest(act, {
      ...of,
      amount: r.earnest,
      dueDate: act.today,
      title: `${r.earnestKind} ${r.number}`,
    });
    if ((await payFromPrepaid(act, bill.id)) < r.earnest)
      throw new Refusal("notAllowed", "该客户的预存款不足以支付定金，请先收定金");
    billId = bill.id;
  }
  await move(act, r, state, {
    holdUntil,
    billId,
    heldAt: act.now,
    heldOn: act.today,
  });
  await leadReserved(act, r.leadId);
  await noteReservation(act, r, "恢复预订", `重新保留 ${r.roomName} 至 ${holdUntil}`);
}
