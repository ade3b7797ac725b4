import { sql } from "kysely";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { closeTurnovers, openTurnovers } from "./turnover.service.ts";
import { addTurnovers, finishRooms, finishTurnover } from "./turnover.contract.ts";

/** Leaf rooms in scope with what decides whether they can be put to cleaning. */
async function roomsNow(act: Act, ids: readonly number[]) {
  const wanted = [...new Set(ids)];
  const { rows } = await sql<{ id: number; name: string; occupancy: string; turnoverId: number | null }>`
    select s.room_id id, r.full_name name, s.occupancy, s.turnover_id "turnoverId"
    from room_status_at(${act.today}::date, ${act.today}::date,
      array(select distinct village_id from room where id = ${anyOf(wanted)} and village_id = ${anyOf(act.who.villages)}),
      ${wanted}::bigint[]) s join room r on r.id = s.room_id order by s.room_id`.execute(act.tx);
  if (rows.length < wanted.length) throw notFound();
  return rows;
}

const LIVED_IN = new Set(["occupied", "expiring", "holdingOver", "leaving"]);

export default [
  serve(addTurnovers, async (act, { body }) => {
    const rooms = await roomsNow(act, body.roomIds);
    const refused = rooms
      .filter((r) => LIVED_IN.has(r.occupancy) || r.turnoverId)
      .map((r) => ({
        roomId: r.id,
        roomName: r.name,
        why: r.turnoverId ? "已是待保洁" : "有人居住，请登记保洁或报修单",
      }));
    if (refused[0])
      throw new Refusal("notAllowed", `${refused[0].roomName} ${refused[0].why}`, 409, { data: { refused } });
    return { rooms: await openTurnovers(act, body.roomIds, { source: "manual", note: body.note }) };
  }),

  serve(finishTurnover, async (act, { params, body }) => {
    const seen = new Set(body.checklist.filter((c) => c.ok).map((c) => c.item));
    const pictured = (await offered(act, "house", "cleanList")).find((c) => c.photo && seen.has(c.name));
    if (pictured && !body.fileIds.length)
      throw invalid({ field: "fileIds", msg: `“${pictured.name}”须拍照，请上传图片` });
    await closeTurnovers(act, [params.id], body);
    return { id: params.id };
  }),

  serve(finishRooms, async (act, { body }) => {
    const rooms = await roomsNow(act, body.roomIds);
    const refused = rooms
      .filter((r) => !r.turnoverId)
      .map((r) => ({ roomId: r.id, roomName: r.name, why: "没有待完成的保洁" }));
    if (refused[0])
      throw new Refusal("notAllowed", `${refused[0].roomName} ${refused[0].why}`, 409, { data: { refused } });
    const done = { doneDay: body.doneDay, checklist: [], fileIds: [], note: "" };
    await closeTurnovers(
      act,
      rooms.map((r) => r.turnoverId!),
      done,
    );
    return { rooms: rooms.length };
  }),
];
