import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { AdapterName, Config, Mapping, ShowPrice } from "./adapter.rules.ts";
import type { Rule } from "./listing.rules.ts";
import type { z } from "zod";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
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
import { enquiries, listingEvents, type enquiryRow, type eventRow } from "./channel.contract.ts";

/** A channel as whoever sends to it needs it. */
export type Channel = {
  id: number;
  enterpriseId: number;
  name: string;
  adapter: AdapterName;
  config: Config;
  /** The address of a feed, or the key of the signature. */
  secret: string;
  villageIds: number[];
  rule: Rule;
  phone: "village" | "manager";
  enabled: boolean;
  seenXact: string;
  seenDay: string | null;
  leadsAt: string | null;
  createdBy: number | null;
  version: number;
};

type Stored = NonNullable<Awaited<ReturnType<typeof storedChannel>>>;

const storedChannel = (read: Pick<Read, "tx">, id: number) =>
  read.tx.selectFrom("channel").selectAll().where("id", "=", id).executeTakeFirst();

export const channelOf = (read: Pick<Read, "cipher">, row: Stored): Channel => {
  const config = row.config as Config;
  return {
    id: row.id,
    enterpriseId: row.enterpriseId,
    name: row.name,
    adapter: row.adapter as AdapterName,
    config,
    secret: read.cipher.open(row.secret),
    villageIds: row.villageIds,
    rule: {
      leadDays: row.leadDays,
      kinds: row.kinds,
      productIds: row.productIds,
      minPictures: row.minPictures,
      showPrice: row.showPrice as ShowPrice,
      mapped: config["mapped"] === true,
      mapping: row.mapping as Mapping,
    },
    phone: row.phone as Channel["phone"],
    enabled: row.enabled,
    seenXact: row.seenXact,
    seenDay: row.seenDay,
    leadsAt: row.leadsAt,
    createdBy: row.createdBy,
    version: row.version,
  };
};

/** Whoever runs a channel sees all of its stores: its address shows all of them. */
export const mineOnly = (read: Pick<Read, "who">) =>
  sql<boolean>`village_ids <@ ${read.who.villages as number[]}::bigint[]`;

/** A channel of which every store is in scope, locked where it is about to change. */
export async function channelSeen(read: Read, id: number, { lock = false } = {}) {
  const row = await read.tx
    .selectFrom("channel")
    .selectAll()
    .where("id", "=", id)
    .where(mineOnly(read))
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export const channelById = async (read: Pick<Read, "tx" | "cipher">, id: number) => {
  const row = await storedChannel(read, id);
  return row && channelOf(read, row);
};

/** The open feed at a secret address; 404 once the address was changed or the channel switched off. */
export async function feedAt(read: Read, token: string): Promise<Channel> {
  const row = await read.tx
    .selectFrom("channel")
    .selectAll()
    .where("secretHash", "=", read.cipher.hash(`feed ${token}`))
    .where("adapter", "=", "feed")
    .where("enabled", "=", true)
    .executeTakeFirst();
  // the hash does not know capitals from small letters
  const channel = row && channelOf(read, row);
  if (!channel || channel.secret !== token) throw notFound();
  return channel;
}

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
