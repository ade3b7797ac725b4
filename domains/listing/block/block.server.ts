import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import type { BlockReason } from "../room/words.rules.ts";
import { addBlock, editBlock, getBlock, liftBlock, liftRooms } from "./block.contract.ts";
import { blockRooms, changeEnd, lift } from "./block.service.ts";

export default [
  serve(addBlock, (act, { body }) => blockRooms(act, body)),

  serve(editBlock, async (act, { params, body }) => {
    await changeEnd(act, params.id, body);
    return { id: params.id };
  }),

  serve(liftBlock, async (act, { params, body }) => ({
    id: params.id,
    rooms: await lift(act, params.id, body),
  })),

  serve(liftRooms, async (act, { body }) => {
    const wanted = [...new Set(body.roomIds)];
    const { rows } = await sql<{ id: number; name: string; blockId: number | null }>`
      select r.id, r.full_name name, o.block_id "blockId"
      from room r left join lateral (select block_id from occupancy_row
        where room_id = r.id and kind = 'block' and period @> ${act.today}::date) o on true
      where r.id = ${anyOf(wanted)} and r.village_id = ${anyOf(act.who.villages)} order by r.id`.execute(
      act.tx,
    );
    if (rows.length < wanted.length) throw notFound();
    const refused = rows
      .filter((r) => !r.blockId)
      .map((r) => ({ roomId: r.id, roomName: r.name, why: "未封房" }));
    if (refused[0])
      throw new Refusal("notAllowed", `${refused[0].roomName} ${refused[0].why}`, 409, { data: { refused } });
    const byBlock = Map.groupBy(rows, (r) => r.blockId!);
    for (const [id, some] of [...byBlock].toSorted((a, b) => a[0] - b[0]))
      await lift(act, id, { dirty: body.dirty, rooms: some.map((r) => r.id) });
    return { rooms: rows.length };
  }),

  serveRead(getBlock, async (read, { params }) => {
    const block = await read.tx
      .selectFrom("roomBlock")
      .selectAll()
      .where("id", "=", params.id)
      .where("villageId", "=", anyOf(read.who.villages))
      .executeTakeFirst();
    if (!block) throw notFound();
    const { rows } = await sql<{ id: number; name: string }>`
      select r.id, r.full_name name from room r where r.id in (
        select room_id from occupancy_row where block_id = ${block.id}
        union select room_id from occupancy_ended where block_id = ${block.id}) order by r.place, r.id`.execute(
      read.tx,
    );
    return { ...block, reason: block.reason as BlockReason, rooms: rows };
  }),
];
