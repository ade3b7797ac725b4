import { sql } from "kysely";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { sendNotices } from "../push/notice.service.ts";
import { tell } from "../../system/message/message.service.ts";

const AHEAD_MINUTES = 120;

/** Whoever shows people around and whoever comes hear of it two hours before, once. */
export async function remindViewings(act: Act): Promise<number> {
  const until = new Date(act.now.getTime() + AHEAD_MINUTES * 60_000).toISOString();
  const { rows } = await sql<{
    id: number;
    number: string;
    villageId: number;
    assigneeId: number;
    name: string;
    phone: string;
    partyId: number | null;
    enterpriseId: number;
    village: string;
    address: string;
    desk: string;
    at: string;
    rooms: string;
  }>`
    update viewing w set reminded_at = ${act.now.toISOString()}
    from village g where g.id = w.village_id and w.state in ('pending', 'confirmed') and w.reminded_at is null and w.assignee_id is not null
      and w.at > ${act.now.toISOString()} and w.at <= ${until}
    returning w.id, w.number, w.village_id "villageId", w.assignee_id "assigneeId", w.name, w.at, w.phone,
      w.enterprise_id "enterpriseId", g.name village, g.address, g.phone desk,
      (select coalesce(l.renter_id, l.company_id, l.merchant_id) from lead l where l.id = w.lead_id) "partyId",
      coalesce((select string_agg(r.full_name, '、') from room r where r.id = any(w.room_ids)), '') rooms`.execute(
    act.tx,
  );
  for (const v of rows) {
    const clock = timeInZone(v.at, act.settings.TIME_ZONE).slice(11, 16);
    const once = `viewing.soon.${v.id}.${v.at}`;
    await tell(act, {
      to: [v.assigneeId],
      type: 4,
      title: `看房提醒：${v.name} ${clock}`,
      content: `${v.number} ${v.rooms}，请提前到场准备。`,
      bizType: "viewing",
      bizId: v.id,
      villageId: v.villageId,
      once,
    });
    await sendNotices(act, [
      {
        notice: "看房提醒",
        channel: "sms",
        recipient: v.phone,
        body: `${v.name}您好，您预约了今天${clock}到${v.village}看房，地址：${v.address}。如需改期请致电${v.desk}。`,
        source: "notice",
        sourceId: v.id,
        receiver: v.name,
        ...(v.partyId && { partyId: v.partyId }),
        villageId: v.villageId,
        enterpriseId: v.enterpriseId,
        once: `${once}.customer`,
      },
    ]);
  }
  return rows.length;
}

export default [
  job({ name: "viewing.remind", title: "看房提醒", cron: "*/5 * * * *", work: remindViewings }),
];
