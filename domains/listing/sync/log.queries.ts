import { sql } from "kysely";
import type { z } from "zod";
import { maskName, maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { likes } from "../room/keyword.queries.ts";
import type { enquiries, enquiryRow, eventRow, listingEvents } from "./log.contract.ts";

type EventQuery = z.output<typeof listingEvents.query>;
const eventsFrom = (read: Read, q: EventQuery) => sql`
  from listing_event e join channel c on c.id = e.channel_id left join room r on r.id = e.room_id
  where (r.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
    ${q.villageIds?.length ? sql`` : sql`or (e.room_id is null and c.village_ids <@ ${read.who.villages as number[]}::bigint[])`})
    ${q.channelId ? sql`and e.channel_id = ${q.channelId}` : sql``}
    ${q.act?.length ? sql`and e.act = any(${q.act}::text[])` : sql``}
    ${q.result ? sql`and e.ok = ${q.result === "true"}` : sql``}
    ${q.from ? sql`and e.at >= ${q.from}::date` : sql``}
    ${q.to ? sql`and e.at < ${q.to}::date + 1` : sql``}
    ${q.keyword ? sql`and ${likes(q.keyword, sql`coalesce(r.full_name, '')`, sql`e.answer`)}` : sql``}`;

export async function eventRows(read: Read, q: EventQuery) {
  const down = q.order === "asc" ? sql`asc` : sql`desc`;
  const by = q.sort === "millis" ? sql`e.millis` : sql`e.at`;
  const { rows } = await sql<z.input<typeof eventRow>>`
    select e.id, e.at, c.id "channelId", c.name "channelName", e.room_id "roomId", r.full_name "roomName", e.act, e.ok::text result, e.millis,
      e.answer ${eventsFrom(read, q)} order by ${by} ${down}, e.id desc ${pageEnd(q)}`.execute(read.tx);
  return rows;
}

export async function eventCount(read: Read, q: EventQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${eventsFrom(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}

type EnquiryQuery = z.output<typeof enquiries.query>;
const enquiriesFrom = (read: Read, q: EnquiryQuery) => sql`
  from channel_enquiry q join channel c on c.id = q.channel_id join room r on r.id = q.room_id
  left join lead_of_enquiry d on d.enquiry_id = q.id
  left join operator o on o.id = d.owner_id
  where q.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}
    ${q.channelId ? sql`and q.channel_id = ${q.channelId}` : sql``}
    ${q.keyword ? sql`and (q.name ilike ${containing(q.keyword)} or q.phone = ${q.keyword} or right(q.phone, 4) = ${q.keyword})` : sql``}`;

/** Names and numbers as lists of people show them: masked. */
export async function enquiryRows(read: Read, q: EnquiryQuery) {
  const down = q.order === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<z.input<typeof enquiryRow>>`
    select q.id, q.at, c.id "channelId", c.name "channelName", q.room_id "roomId", r.full_name "roomName", q.name, q.phone, q.message,
      d.lead_id "leadId", d.number "leadNumber", o.real_name "ownerName"
    ${enquiriesFrom(read, q)} order by q.at ${down}, q.id desc ${pageEnd(q)}`.execute(read.tx);
  const named = read.who.permits.has("15.query");
  return rows.map((row) => ({
    ...row,
    name: named ? row.name : maskName(row.name),
    phone: maskPhone(row.phone),
  }));
}

export async function enquiryCount(read: Read, q: EnquiryQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) n ${enquiriesFrom(read, q)}`.execute(read.tx);
  return rows[0]!.n;
}
