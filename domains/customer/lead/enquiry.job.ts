import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { tell } from "../../system/message/message.service.ts";
import { blackHit } from "../blacklist/blacklist.service.ts";
import { addEvent, liveLead, noteLead } from "./lead.service.ts";
import { renterByPhone } from "./customer.service.ts";
import { channelEnquired } from "../../listing/channel/channel.contract.ts";

type Enquiry = {
  id: number;
  channelName: string;
  enterpriseId: number;
  roomName: string;
  villageId: number;
  name: string;
  phone: string;
  message: string;
};

/**
 * An enquiry of a listing channel becomes a lead in the common pool, or a line on the live lead of the same phone, whose
 * owner hears of it. Done once for one enquiry.
 */
export async function leadFromEnquiry(act: Act, enquiryId: number): Promise<void> {
  const { rows } = await sql<Enquiry>`
    select q.id, c.name "channelName", c.enterprise_id "enterpriseId", r.full_name "roomName", q.village_id "villageId",
      q.name, q.phone, q.message
    from channel_enquiry q join channel c on c.id = q.channel_id join room r on r.id = q.room_id
    where q.id = ${enquiryId} and not exists (select from lead_enquiry le where le.enquiry_id = q.id)
    for update of q`.execute(act.tx);
  const enquiry = rows[0];
  if (!enquiry) return;
  const { channelName, roomName, message } = enquiry;
  const content = `${channelName}咨询 ${roomName}${message ? `：${message}` : ""}`;
  const leadId = await leadOf(act, enquiry, content);
  await act.tx.insertInto("leadEnquiry").values({ enquiryId, leadId }).execute();
}

async function leadOf(act: Act, enquiry: Enquiry, content: string): Promise<number> {
  const { enterpriseId, villageId, name, phone, message } = enquiry;
  // two enquiries of one phone at once make one lead
  await sql`select pg_advisory_xact_lock(hashtext('lead.enquiry'), hashtext(${phone}))`.execute(act.tx);
  const live = await liveLead(act, enterpriseId, phone);
  if (live) {
    await addEvent(act, [live.id], { kind: "system", content });
    await noteLead(act, live, { action: "渠道咨询", summary: content.slice(0, 200) });
    if (live.ownerId !== null)
      await tell(act, {
        to: [live.ownerId],
        type: 4,
        title: `客源${live.name}再次咨询`,
        content,
        bizType: "lead",
        bizId: live.id,
        villageId,
        once: `lead.enquiry.${enquiry.id}`,
      });
    return live.id;
  }
  const hit = await blackHit(act, enterpriseId, { phone });
  const [number] = await act.numbers("KY");
  const now = act.now.toISOString();
  const { id } = await act.tx
    .insertInto("lead")
    .values({
      number: number!,
      enterpriseId,
      name,
      phone,
      source: "channel",
      channelName: enquiry.channelName,
      villageIds: [villageId],
      remark: message.slice(0, 200),
      poolAt: now,
      renterId: (await renterByPhone(act, enterpriseId, phone))?.id ?? null,
      createdAt: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await addEvent(act, [id], { kind: "system", content: `${content}${hit ? "（黑名单提示）" : ""}` });
  await noteLead(
    act,
    { id, number: number!, villageIds: [villageId] },
    { action: "新增", summary: content.slice(0, 200) },
  );
  return id;
}

export default [
  job({
    name: "lead.enquired",
    on: channelEnquired,
    work: (act, data) => leadFromEnquiry(act, data.enquiryId),
  }),
];
