import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Result } from "./result.rules.ts";
import type { ViewingState } from "./viewing.rules.ts";

/** Viewings of a room, the newest first, each with what was thought of this room. */
export async function viewingsOfRoom(read: Read, roomId: number) {
  const { rows } = await sql<{
    id: number;
    number: string;
    name: string;
    at: string;
    assigneeName: string;
    state: ViewingState;
    result: Result | null;
    feedback: string;
  }>`
    select w.id, w.number, w.name, w.at, coalesce(o.real_name, '待指派') "assigneeName", w.state, x.result,
      coalesce(x.feedback, '') feedback
    from viewing w left join operator o on o.id = w.assignee_id
    left join lateral (select y.result, y.feedback
      from json_to_recordset(w.results::json) y("roomId" bigint, result text, feedback text)
      where y."roomId" = ${roomId} limit 1) x on true
    where w.room_ids @> array[${roomId}]::bigint[] and w.village_id = any(${read.who.villages as number[]}::bigint[])
    order by w.at desc, w.id desc limit 100`.execute(read.tx);
  return rows;
}
