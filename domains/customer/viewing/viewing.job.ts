import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs.ts";
import type { Act } from "../../../platform/server/act.ts";
import { tell } from "../../system/message/message.service.ts";

const AHEAD_MINUTES = 120;

/** Whoever shows people around hears of it two hours before, once. */
export async function remindViewings(act: Act): Promise<number> {
  const until = new Date(act.now.getTime() + AHEAD_MINUTES * 60_000).toISOString();
  const { rows } = await sql<{
    id: number;
    number: string;
    villageId: number;
    assigneeId: number;
    name: string;
    at: string;
    rooms: string;
  }>`
    update viewing w set reminded_at = ${act.now.toISOString()}
    where w.state in ('pending', 'confirmed') and w.reminded_at is null and w.assignee_id is not null
      and w.at > ${act.now.toISOString()} and w.at <= ${until}
    returning w.id, w.number, w.village_id "villageId", w.assignee_id "assigneeId", w.name, w.at,
      coalesce((select string_agg(r.full_name, '、') from room r where r.id = any(w.room_ids)), '') rooms`.execute(
    act.tx,
  );
  for (const v of rows)
    await tell(act, {
      to: [v.assigneeId],
      type: 4,
      title: `看房提醒：${v.name} ${timeInZone(v.at, act.settings.TIME_ZONE).slice(11, 16)}`,
      content: `${v.number} ${v.rooms}，请提前到场准备。`,
      bizType: "viewing",
      bizId: v.id,
      villageId: v.villageId,
      once: `viewing.soon.${v.id}.${v.at}`,
    });
  return rows.length;
}

export default [
  job({ name: "viewing.remind", title: "看房提醒", cron: "*/5 * * * *", work: remindViewings }),
];
