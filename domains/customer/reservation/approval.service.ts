import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { type Outlook, type Wanted, approves } from "../../approval/examine/registry.service.ts";
import { forfeitEarnest } from "../../finance/earnest/earnest.service.ts";
import { release } from "../../listing/occupancy/occupancy.service.ts";
import { becomeHeld, endWithout, move, noteReservation, takeRoom } from "./hold.service.ts";
import { type Reservation, readReservation } from "./record.queries.ts";
import { type Below, RESERVATION_MOVES, type Rent, monthlyRent, rentText } from "./reservation.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

/** Whose tenant stays past the end without notice is offered to nobody. */
export async function refuseHeldOver(read: Read, roomId: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    with recursive below as (
      select id, full_name from room where id = ${roomId}
      union all select r.id, r.full_name from room r join below b on r.parent_room_id = b.id)
    select b.full_name name from below b join room_held_over h on h.room_id = b.id limit 1`.execute(read.tx);
  if (rows[0]) throw new Refusal("roomTaken", `${rows[0].name} 到期未退，请先登记退房`);
}

/** The room must lie in the village and be let by somebody who may see it. */
export async function roomOf(
  read: Read,
  roomId: number,
  villageId: number,
): Promise<{ name: string; area: string }> {
  const row = await read.tx
    .selectFrom("room")
    .select(["fullName as name", "area", "villageId"])
    .where("id", "=", roomId)
    .executeTakeFirst();
  if (!row || row.villageId !== villageId) throw invalid({ field: "roomId", msg: "请选择该门店的房间" });
  return row;
}

/** One room is freed and the other taken, or neither; what was paid stays. */
export async function changeRoomNow(
  act: Act,
  r: Reservation,
  { roomId, ...agreed }: Rent & { roomId: number },
): Promise<void> {
  const state = RESERVATION_MOVES.next("changeRoom", r);
  const room = await roomOf(act, roomId, r.villageId);
  await refuseHeldOver(act, roomId);
  await release(act, { reservationId: r.id });
  await takeRoom(act, { ...r, roomId });
  const [before, after] = [rentText(r), rentText(agreed)];
  await move(act, r, state, { roomId, rent: agreed.rent, unit: agreed.unit });
  const change = before === after ? "租金不变" : `租金 ${before} → ${after}`;
  const summary = `${r.roomName} → ${room.name}，${change}`;
  await noteReservation(act, { ...r, roomId }, "换房间", summary, {
    before: { room: r.roomName, rent: before },
    after: { room: room.name, rent: after },
  });
  const entry = { number: r.number, villageId: r.villageId, action: "换房间", summary };
  await act.note({ ...entry, kind: "room", recordId: r.roomId });
}

/** The customer did not come: the 定金 becomes income and the room is free. */
export async function forfeitNow(act: Act, r: Reservation, reason: string): Promise<void> {
  const state = RESERVATION_MOVES.next("forfeit", r);
  const { billNo, amount } = await forfeitEarnest(act, r.billId!, `没收定金 ${r.number}`);
  await endWithout(act, r, state, reason);
  await noteReservation(act, r, "没收定金", `没收定金 ${yuan(amount)} 元，转违约金账单 ${billNo}：${reason}`);
}

const OF = {
  kind: "reservation",
  page: "/configuration/BookingManagement?tab=reservation",
  permit: "15.query",
} as const;
async function recordOf(read: Read, id: number, lock = false): Promise<Reservation> {
  const record = await readReservation(read, id, lock);
  if (!record) throw notFound();
  return record;
}
const lockedOf = (act: Act, id: number) => recordOf(act, id, true);

const factsOf = (r: Reservation): [string, string][] => [
  ["客户", r.partyName],
  ["房间", r.roomName],
  ["入住日", r.moveInDay],
  ["保留至", r.holdUntil],
];

/** A new reservation, or another room for one that is held. */
type Change = Rent & { roomId: number };
type Payload = Below & { change?: Change | undefined };

approves({
  ...OF,
  type: "reservationBelowLowest",
  title: "低于底价预订",
  group: "房源",
  fields: [
    { key: "amount", title: "月租金", kind: "money" },
    { key: "percent", title: "低于底价比例", kind: "percent" },
  ],
  outlook: async (read: Read, { id, payload }: Wanted): Promise<Outlook> => {
    const r = await recordOf(read, id);
    const { lowest, rent, unit, change } = payload as Payload;
    if (r.status !== (change ? "held" : "pending")) throw new Refusal("notAllowed", "预订已结束");
    const room = change && (await roomOf(read, change.roomId, r.villageId));
    const agreed = change ?? r;
    const amount = monthlyRent(agreed, room?.area ?? r.area);
    return {
      title: `低于底价预订 ${r.number}`,
      number: r.number,
      villageId: r.villageId,
      amount,
      values: { amount, percent: Math.round(((lowest - rent) * 10_000) / lowest) / 100 },
      facts: [
        ...factsOf(r),
        ...(room ? [["换到", room.name] as const] : []),
        ["租金", rentText(agreed)],
        ["底价", rentText({ rent: lowest, unit })],
      ],
      preview: [],
      hash: basisHash([id, agreed.rent, agreed.unit, agreed.roomId, lowest]),
    };
  },
  effect: async (act, { id, payload }) => {
    const r = await lockedOf(act, id);
    const { change } = payload as Payload;
    if (change) return changeRoomNow(act, r, change);
    if (r.status !== "pending") throw new Refusal("notAllowed", "预订已结束");
    const minutes = await unpaidMinutes(act, r.villageId);
    // nothing is asked, or the money came over the counter meanwhile
    if (r.held >= r.earnest) return becomeHeld(act, r);
    // the time to pay begins with the approval
    const payUntil = minutes
      ? new Date(act.now.getTime() + minutes * 60_000)
      : new Date(`${r.holdUntil}T23:59:59+08:00`);
    await move(act, r, "pending", { payUntil });
  },
});

approves({
  ...OF,
  type: "earnestForfeit",
  title: "没收定金",
  group: "房源",
  fields: [{ key: "amount", title: "金额", kind: "money" }],
  outlook: async (read: Read, { id }: Wanted): Promise<Outlook> => {
    const r = await recordOf(read, id);
    RESERVATION_MOVES.next("forfeit", r);
    return {
      title: `没收定金 ${r.number}`,
      number: r.number,
      villageId: r.villageId,
      amount: r.held,
      values: { amount: r.held },
      facts: [...factsOf(r), ["定金", `${yuan(r.held)} 元`]],
      preview: [],
      hash: basisHash([id, r.held]),
    };
  },
  effect: async (act, { id, reason }) => forfeitNow(act, await lockedOf(act, id), reason),
});

async function unpaidMinutes(read: Read, villageId: number): Promise<number> {
  const row = await aRow(read, "villageSetting", ["reservationUnpaidMinutes"], { villageId });
  return row?.reservationUnpaidMinutes ?? 0;
}

/** A rent below the lowest price waits where a process says so: answers the number of the approval, or null. */
export async function proposeBelow(
  act: Act,
  r: Reservation,
  under: Below,
  change?: Change,
): Promise<string | null> {
  const { waiting } = await propose(act, "reservationBelowLowest", [
    {
      recordId: r.id,
      villageId: r.villageId,
      payload: { ...under, change } satisfies Payload,
      reason: `租金 ${rentText(change ?? r)}，低于底价 ${rentText({ ...under, rent: under.lowest })}`,
    },
  ]);
  const [first] = waiting;
  if (!first) return null;
  // it does not lapse for want of money that may not be paid yet
  if (!change)
    await act.tx.updateTable("reservation").set({ payUntil: null }).where("id", "=", r.id).execute();
  return first.examineNo;
}

/** Forfeiting waits where a process says so, and is done at once elsewhere. */
export async function proposeForfeit(act: Act, r: Reservation, reason: string): Promise<string | null> {
  const { waiting } = await propose(act, "earnestForfeit", [
    { recordId: r.id, villageId: r.villageId, payload: {}, reason },
  ]);
  return waiting[0]?.examineNo ?? null;
}
