import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { release, take } from "../../listing/occupancy/occupancy.service.ts";
import type { PriceUnit } from "../../listing/room/words.rules.ts";
import { tell } from "../../system/message/message.service.ts";
import { addEvent, noteLead } from "../lead/lead.service.ts";
import { leadFree, leadReserved } from "../lead/step.service.ts";
import { sendNotices } from "../push/notice.service.ts";
import type { Reservation } from "./record.queries.ts";
import { RESERVATION_MOVES, type ReservationState } from "./reservation.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

type Noted = Pick<Reservation, "id" | "number" | "villageId" | "roomId" | "leadId">;

/** The same line on the timelines of the reservation, its room and its lead. */
export async function noteReservation(
  act: Act,
  of: Noted,
  action: string,
  summary: string,
  more: { before?: object; after?: object } = {},
): Promise<void> {
  const entry = { number: of.number, villageId: of.villageId, action, summary };
  await act.note([
    { ...entry, ...more, kind: "reservation", recordId: of.id },
    { ...entry, kind: "room", recordId: of.roomId },
  ]);
  if (!of.leadId) return;
  const lead = await aRow(act, "lead", ["id", "number", "villageIds"], { id: of.leadId });
  if (!lead) return;
  await addEvent(act, [lead.id], { kind: "system", content: `${of.number} ${summary}` });
  await noteLead(act, lead, { action, summary: `${of.number} ${summary}` });
}

/** Its owner hears of what happens without them. */
export const tellOwner = (
  act: Act,
  of: Pick<Reservation, "id" | "number" | "villageId" | "ownerId">,
  title: string,
  content: string,
  once?: string,
): Promise<void> =>
  tell(act, {
    to: [of.ownerId],
    type: 4,
    title,
    content,
    bizType: "reservation",
    bizId: of.id,
    villageId: of.villageId,
    ...(once && { once }),
  });

/** The customer hears by text message what became of the room that is kept for them, each thing once. */
export async function tellCustomer(
  act: Act,
  of: Pick<Reservation, "id" | "villageId">,
  body: string,
  once: string,
): Promise<void> {
  const party = await act.tx
    .selectFrom("reservation as r")
    .innerJoin("party as p", "p.id", "r.partyId")
    .select(["p.id", "p.phone", "p.enterpriseId"])
    .where("r.id", "=", of.id)
    .executeTakeFirst();
  // the main contact of a firm may have a landline alone
  if (!party || !isMobile(party.phone)) return;
  await sendNotices(act, [
    {
      notice: "预订通知",
      channel: "sms",
      recipient: party.phone,
      body,
      source: "notice",
      sourceId: of.id,
      partyId: party.id,
      villageId: of.villageId,
      enterpriseId: party.enterpriseId,
      once: `${once}.customer`,
    },
  ]);
}

/** Puts the wanted term on the timeline; whoever has the room is named (409 roomTaken). */
export const takeRoom = (
  act: Act,
  r: Pick<Reservation, "id" | "roomId" | "moveInDay" | "plannedEndDay">,
): Promise<void> =>
  take(act, [
    { kind: "reservation", reservationId: r.id, roomId: r.roomId, from: r.moveInDay, to: r.plannedEndDay },
  ]);

/** Whether it stands on the timeline; one that is kept only once paid does not until then. */
export async function standsOnTimeline(act: Act, reservationId: number): Promise<boolean> {
  const row = await act.tx
    .selectFrom("occupancyRow")
    .select("id")
    .where("reservationId", "=", reservationId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Until when its money is waited for: so many minutes, or as long as it could be kept where unpaid takes no room. */
export const payBy = (act: Act, unpaidMinutes: number, holdUntil: Day): Date =>
  unpaidMinutes === 0
    ? new Date(`${holdUntil}T23:59:59+08:00`)
    : new Date(act.now.getTime() + unpaidMinutes * 60_000);

type Set = Partial<{
  holdUntil: string;
  roomId: number;
  rent: number;
  unit: PriceUnit;
  payUntil: Date | null;
  billId: number | null;
  refundId: number | null;
  contractId: number | null;
  heldAt: Date | null;
  heldOn: string | null;
  endReason: string;
}>;

/** Writes a move. What has ended carries when; what stands again does not. */
export async function move(act: Act, r: Reservation, state: ReservationState, set: Set = {}): Promise<void> {
  const open = state === "pending" || state === "held";
  await act.tx
    .updateTable("reservation")
    .set({
      ...set,
      state,
      endedAt: open ? null : act.now,
      ...(open && { endReason: "" }),
      version: r.version + 1,
      updatedAt: act.now,
      updatedBy: act.who.operatorId || null,
    })
    .where("id", "=", r.id)
    .execute();
  r.status = state;
  r.version += 1;
}

/** Its money is there, or none is asked: the room is kept until its day. */
export async function becomeHeld(act: Act, r: Reservation): Promise<void> {
  const state = RESERVATION_MOVES.next("hold", r);
  if (!(await standsOnTimeline(act, r.id))) await takeRoom(act, r);
  await move(act, r, state, { payUntil: null, heldAt: act.now, heldOn: act.today });
  // its bill may have been reduced: what was paid counts, not what was asked
  const paid = r.held ? `已收${r.earnestKind} ${yuan(r.held)} 元，` : "";
  await noteReservation(act, r, "预订成功", `${paid}${r.roomName} 为${r.partyName}保留至 ${r.holdUntil}`);
  await leadReserved(act, r.leadId);
  await tellOwner(
    act,
    r,
    `${r.partyName}已预订 ${r.roomName}`,
    `${r.number} ${paid}房间保留至 ${r.holdUntil}，请按时签约。`,
    `reservation.held.${r.id}.${r.version}`,
  );
  const text = `${r.partyName}您好，您预订的${r.roomName}已为您保留至${r.holdUntil}，${paid}请按时签约。`;
  await tellCustomer(act, r, text, `reservation.held.${r.id}.${r.version}`);
}

/** It ends without a contract: the room is free from this moment, and its lead goes on being followed up. */
export async function endWithout(
  act: Act,
  r: Reservation,
  state: ReservationState,
  reason: string,
  set: Set = {},
): Promise<void> {
  await release(act, { reservationId: r.id });
  await move(act, r, state, { ...set, endReason: reason, payUntil: null });
  await leadFree(act, r.leadId);
}

/** The time is up: what is held of the money stays, until somebody decides about it. */
export async function lapse(act: Act, r: Reservation, why: string): Promise<void> {
  RESERVATION_MOVES.next("lapse", r);
  await endWithout(act, r, "lapsed", why);
  const kept = r.held ? `，${r.earnestKind} ${yuan(r.held)} 元待处理` : "";
  await noteReservation(act, r, "过期", `${why}，释放 ${r.roomName}${kept}`);
  await tellOwner(
    act,
    r,
    `预订过期：${r.partyName} ${r.roomName}`,
    `${r.number} ${why}，房间已释放${kept}。`,
    `reservation.lapsed.${r.id}.${r.version}`,
  );
  const text = `${r.partyName}您好，您预订的${r.roomName}${why}，预订已失效。如需帮助请联系管家。`;
  await tellCustomer(act, r, text, `reservation.lapsed.${r.id}.${r.version}`);
}

/** A reservation that was changed meanwhile is not acted on. */
export function agreeOn(r: Reservation, version: number): void {
  asSeen(r, version);
}
