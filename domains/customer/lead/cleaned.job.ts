import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { IDLING_STATES } from "./lead-filter.queries.ts";
import { roomsCleaned } from "../../listing/turnover/turnover.contract.ts";

type Match = { ownerId: number; roomId: number; villageId: number; roomName: string; leads: string[] };

/**
 * Rooms that are clean and free: whoever looks after somebody who wants such a room, of the store, kind, layout and
 * price, hears of it once.
 */
export async function tellOfCleaned(act: Act, roomIds: readonly number[], day: string): Promise<void> {
  const { rows } = await sql<Match>`
    select l.owner_id "ownerId", r.id "roomId", r.village_id "villageId", r.full_name "roomName",
      array_agg(l.name order by l.id) leads
    from room r join apartment a on a.id = r.apartment_id
    join room_status_of(${act.today}, ${act.today},
      array(select distinct village_id from room where id = ${anyOf(roomIds)}), ${roomIds as number[]}::bigint[]) s
      on s.room_id = r.id and s.occupancy = 'vacant' and s.condition = 'rentable'
    left join lateral (select p.list_price from room_price p where p.room_id = r.id and p.effective_day <= ${act.today}::date
      order by p.effective_day desc limit 1) p on true
    join lead l on l.village_ids @> array[r.village_id] and l.owner_id is not null and l.state = ${IDLING_STATES}
      and (l.kind is null or l.kind = r.kind)
      and (l.layout is null or l.layout::int = least(a.bedrooms, 4))
      and (l.budget_from is null or p.list_price >= l.budget_from)
      and (l.budget_to is null or p.list_price <= l.budget_to)
    where r.id = ${anyOf(roomIds)} group by 1, 2, 3, 4 order by 2, 1`.execute(act.tx);
  for (const { ownerId, roomId, villageId, roomName, leads } of rows)
    await tell(act, {
      to: [ownerId],
      type: 4,
      title: `${roomName} 已可入住，匹配 ${leads.length} 位客源`,
      content: `${day} 完成保洁。可推荐给：${leads.slice(0, 10).join("、")}${leads.length > 10 ? "等" : ""}`,
      bizType: "room",
      bizId: roomId,
      villageId,
      once: `room.cleaned.${roomId}.${day}.${ownerId}`,
    });
}

export default [
  job({
    name: "lead.cleaned",
    on: roomsCleaned,
    work: (act, data) => tellOfCleaned(act, data.roomIds, data.day),
  }),
];
