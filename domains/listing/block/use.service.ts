import { sql } from "kysely";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { lift } from "./block.service.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { neverApplied } from "../room/room.queries.ts";

type Room = { id: number; villageId: number; fullName: string };

/** Brings a room back into use from today: what is left of its own offline blocks is lifted. */
export async function bringBack(act: Act, room: Room): Promise<void> {
  const { rows } = await sql<{ blockId: number; own: boolean; top: string; leaves: number[] }>`
    select o.block_id "blockId", o.let_room_id = ${room.id} own, t.full_name top, array_agg(o.room_id) leaves
    from occupancy_row o join room_block b on b.id = o.block_id join room t on t.id = o.let_room_id
    where (o.let_room_id = ${room.id} or o.room_id = ${room.id}) and b.reason = 'offline'
      and (upper(o.period) is null or upper(o.period) > ${act.today})
    group by 1, 2, 3`.execute(act.tx);
  const own = rows.filter((row) => row.own);
  if (!own.length)
    throw new Refusal(
      "notAllowed",
      rows[0] ? `该房间随 ${rows[0].top} 一起停用，请在整套上启用` : "房间未停用",
    );
  for (const block of own) await lift(act, block.blockId, { dirty: false, rooms: block.leaves });
}

/**
 * Rooms leave the stock on a day; from then on nothing may stand on their timeline. They are locked first: whoever is
 * just taking one of them is waited for and seen.
 */
export async function retireRooms(act: Act, rooms: readonly Room[], day: Day, verb = "注销"): Promise<void> {
  const ids = rooms.map((room) => room.id);
  await sql`select 1 from room where id = ${anyOf(ids)} order by id for update`.execute(act.tx);
  const { rows } = await sql<{ room: string; from: Day; to: Day | null; by: string }>`
    select r.full_name room, lower(o.period) "from", upper(o.period) - 1 "to",
      coalesce(c.contract_no, b.number, '预订') "by"
    from occupancy_row o join room r on r.id = o.room_id
    left join contract_brief c on c.id = o.contract_id left join room_block b on b.id = o.block_id
    where (o.room_id = ${anyOf(ids)} or o.let_room_id = ${anyOf(ids)})
      and (upper(o.period) is null or upper(o.period) > ${day})
    order by r.place, lower(o.period) limit 1`.execute(act.tx);
  const [standing] = rows;
  if (standing)
    throw new Refusal(
      "roomTaken",
      `${standing.room} 在 ${standing.from} 至 ${standing.to ?? "未定"} 已被 ${standing.by} 占用，不能${verb}`,
    );
  const done = await act.tx
    .updateTable("room")
    .set({
      retiredDay: day,
      version: NEXT_VERSION,
      ...stamp(act),
    })
    .where("id", "=", anyOf(ids))
    .where((eb) => eb.or([eb("retiredDay", "is", null), eb("retiredDay", ">", day)]))
    .returning(["id", "villageId", "firstDay"])
    .execute();
  if (!done.length) throw new Refusal("notAllowed", `房间已${verb}`);
  await changed(
    act,
    done.map((room) => ({ roomId: room.id, villageId: room.villageId })),
  );
}

/** A room and everything below it, parents first. */
export async function withBelow(
  act: Pick<Act, "tx">,
  roomId: number,
): Promise<(Room & { isLeaf: boolean })[]> {
  const { rows } = await sql<Room & { isLeaf: boolean }>`
    with recursive below as (
      select id, village_id, full_name, is_leaf, 0 depth from room where id = ${roomId}
      union all
      select r.id, r.village_id, r.full_name, r.is_leaf, b.depth + 1 from room r join below b on r.parent_room_id = b.id
      where r.retired_day is null)
    select id, village_id "villageId", full_name "fullName", is_leaf "isLeaf" from below order by depth, id`.execute(
    act.tx,
  );
  if (!rows.length) throw notFound();
  return rows;
}

/** Deletes rooms that nothing refers to, with the history of what was given back; answers how many. */
export async function removeRooms(act: Act, ids: readonly number[]): Promise<number> {
  await sql`delete from occupancy_ended where room_id = ${anyOf(ids)} or let_room_id = ${anyOf(ids)}`.execute(
    act.tx,
  );
  await sql`delete from price_change_line l using price_change c
    where c.id = l.change_id and l.room_id = ${anyOf(ids)} and ${neverApplied("c")}`.execute(act.tx);
  const gone = await act.tx
    .deleteFrom("room")
    .where("id", "=", anyOf(ids))
    .returning(["id as roomId", "villageId"])
    .execute();
  await changed(act, gone);
  return gone.length;
}
