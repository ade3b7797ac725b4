import type { Day } from "../../../platform/kernel/day.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { sql } from "kysely";
import { changed, daysTouched } from "./occupancy.service.ts";
import { roomsLeft } from "./occupancy.contract.ts";

type Of = { contractId: number; /** Absent: every room of the contract. */ letRoomIds?: readonly number[] };
type Touched = { roomId: number; villageId: number };

const mine = (of: Of) =>
  sql`contract_id = ${of.contractId} and (${of.letRoomIds ?? null}::bigint[] is null or let_room_id = any(${of.letRoomIds ?? null}::bigint[]))`;

async function touch(act: Act, rows: readonly Touched[], day: Day): Promise<number> {
  await changed(act, rows);
  await daysTouched(
    act,
    rows.map((r) => r.villageId),
    day,
  );
  return rows.length;
}

/** Notice was given: the rooms read 退租中 from the day of the application on. */
export async function startLeaving(act: Act, of: Of, appliedOn: Day = act.today): Promise<void> {
  const { rows } = await sql<Touched>`
    insert into room_leaving (room_id, let_room_id, village_id, contract_id, applied_on)
    select room_id, let_room_id, village_id, contract_id, ${appliedOn}::date from occupancy_row
    where kind = 'lease' and ${mine(of)}
    on conflict (room_id) where ended_on is null do nothing
    returning room_id "roomId", village_id "villageId"`.execute(act.tx);
  if (!(await touch(act, rows, appliedOn))) throw notFound();
}

/** The notice was taken back: the tenant stays. */
export async function withdrawLeaving(act: Act, of: Of): Promise<void> {
  const { rows } = await sql<Touched>`
    update room_leaving set ended_on = greatest(applied_on, ${act.today}::date), withdrawn = true
    where ended_on is null and ${mine(of)} returning room_id "roomId", village_id "villageId"`.execute(
    act.tx,
  );
  await touch(act, rows, act.today);
}

/** The settlement frees the rooms: at once when it is confirmed, or when its money is through, as the contract's settings say. */
export async function freeRooms(act: Act, of: Of, day: Day = act.today): Promise<number[]> {
  const { rows } = await sql<Touched>`
    update room_leaving set ended_on = greatest(applied_on, ${day}::date)
    where ended_on is null and ${mine(of)} returning room_id "roomId", village_id "villageId"`.execute(
    act.tx,
  );
  await touch(act, rows, day);
  await act.emit(roomsLeft, { contractId: of.contractId, day });
  return rows.map((r) => r.roomId);
}

/** The money of the settlement is through: 到期未结账 goes. */
export async function closeLeaving(act: Act, of: Of, day: Day = act.today): Promise<void> {
  const { rows } = await sql<Touched>`
    update room_leaving set closed_on = ${day}::date
    where closed_on is null and not withdrawn and ${mine(of)} returning room_id "roomId", village_id "villageId"`.execute(
    act.tx,
  );
  await touch(act, rows, day);
}
