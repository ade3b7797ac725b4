import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { AdapterName, Config, Mapping, ShowPrice } from "./adapter.rules.ts";
import type { Rule } from "./listing.rules.ts";

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
  seenSeq: number;
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
    seenSeq: row.seenSeq,
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
