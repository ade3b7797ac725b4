import { sql } from "kysely";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { release } from "../../listing/occupancy/occupancy.service.ts";
import { move, takeRoom } from "./hold.service.ts";
import { noteReservation } from "./note.service.ts";
import type { Reservation } from "./record.queries.ts";
import { rentText, type Rent } from "./rent.rules.ts";
import { RESERVATION_MOVES } from "./reservation.rules.ts";

/** Whose tenant stays past the end without notice is offered to nobody. */
export async function refuseHeldOver(read: Read, roomId: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    with recursive below as (
      select id, full_name from room where id = ${roomId}
      union all select r.id, r.full_name from room r join below b on r.parent_room_id = b.id)
    select b.full_name name from below b join occupancy_row o on o.room_id = b.id join contract_brief c on c.id = o.contract_id
    where c.state = 'expired' and not exists (select 1 from room_leaving w
      where w.room_id = b.id and w.contract_id = c.id and not w.withdrawn) limit 1`.execute(read.tx);
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
