import { sql } from "kysely";
import type { z } from "zod";
import { maskName, maskPhone } from "../../../platform/kernel/mask.ts";
import {
  amongWords,
  fromDay,
  is,
  isTrue,
  keyword,
  part,
  phone,
  phrase,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { enquiries, listingEvents, type enquiryRow, type eventRow } from "./log.contract.ts";

const EVENTS = sql`listing_event e join channel c on c.id = e.channel_id left join room r on r.id = e.room_id`;

export const events = listOf(listingEvents, {
  id: "e.id",
  from: EVENTS,
  // what concerns no room is of all stores of its channel
  scope: (read, { villageIds }) => sql`(r.village_id = ${anyOf(villagesOf(read.who, villageIds))}
    ${villageIds?.length ? sql`` : sql`or (e.room_id is null and c.village_ids <@ ${read.who.villages as number[]}::bigint[])`})`,
  where: {
    channelId: is("e.channel_id"),
    act: amongWords("e.act"),
    result: isTrue("e.ok"),
    from: fromDay("e.at"),
    to: toDay("e.at"),
    keyword: keyword(part(sql`coalesce(r.full_name, '')`, "e.answer")),
  },
  sort: { at: { order: (way) => sql`e.at ${way}, e.id desc`, way: "desc" }, millis: "e.millis" },
  order: "at",
  columns: sql<
    z.input<typeof eventRow>
  >`e.id, e.at, c.id "channelId", c.name "channelName", e.room_id "roomId",
    r.full_name "roomName", e.act, e.ok::text result, e.millis, e.answer`,
  join: sql`join ${EVENTS} on e.id = page.id`,
});

const ENQUIRIES = sql`channel_enquiry q join channel c on c.id = q.channel_id join room r on r.id = q.room_id
  left join lead_of_enquiry d on d.enquiry_id = q.id left join operator o on o.id = d.owner_id`;

/** Names and numbers as lists of people show them: masked. */
export const enquiryList = listOf(enquiries, {
  id: "q.id",
  from: ENQUIRIES,
  village: "q.village_id",
  where: { channelId: is("q.channel_id"), keyword: keyword(phrase("q.name"), phone("q.phone")) },
  sort: { at: { order: (way) => sql`q.at ${way}, q.id desc`, way: "desc" } },
  order: "at",
  columns: sql<
    z.input<typeof enquiryRow>
  >`q.id, q.at, c.id "channelId", c.name "channelName", q.room_id "roomId",
    r.full_name "roomName", q.name, q.phone, q.message, d.lead_id "leadId", d.number "leadNumber",
    o.real_name "ownerName"`,
  join: sql`join ${ENQUIRIES} on q.id = page.id`,
  rows: (rows, read) =>
    rows.map((row) => ({
      ...row,
      name: read.who.permits.has("15.query") ? row.name : maskName(row.name),
      phone: maskPhone(row.phone),
    })),
});
