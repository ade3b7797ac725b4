import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { ADAPTERS_BY_NAME } from "../channel/send.service.ts";
import type { Channel } from "../channel/channel.queries.ts";
import {
  actOn,
  documentOf,
  inRule,
  judge,
  nextState,
  type Facts,
  type ListingDocument,
  type Standing,
  type Leaf,
} from "../channel/listing.rules.ts";
import type { Day } from "../../../platform/kernel/day.ts";

type FactRow = Omit<Facts, "leaves" | "contact" | "village" | "own"> & {
  isLeaf: boolean;
  parentRoomId: number | null;
  villageName: string;
  address: string;
  villageOpen: boolean;
  lng: string | null;
  lat: string | null;
  phone: string;
  contactName: string;
  occupancy: Leaf["occupancy"] | null;
  condition: Leaf["condition"] | null;
  until: Day | null;
  nextFrom: Day | null;
  name: string;
  ownTitle: string | null;
  ownDescription: string | null;
  ownPictures: number[] | null;
  listingHold: string | null;
};

/** Which rooms are looked at: all of a store, or those of some flats. */
export type Looked = { villageId: number } | { apartmentIds: readonly number[] };

const within = (looked: Looked) =>
  "villageId" in looked
    ? sql`r.village_id = ${looked.villageId}`
    : sql`r.apartment_id = ${anyOf(looked.apartmentIds)}`;

/** The status of the rooms of some flats is read for these alone. */
const statusOf = (today: Day, looked: Looked) =>
  "villageId" in looked
    ? sql`room_status_at(${today}, ${today}, array[${looked.villageId}::bigint])`
    : sql`room_status_of(${today}, ${today},
        array(select distinct village_id from room r where ${within(looked)}), array(select id from room r where ${within(looked)}))`;

/**
 * What a channel would show of some rooms: as they stand today, read in one statement. Rooms of a flat are looked at
 * together, because a whole flat is free when all of its rooms are.
 */
export async function factsOf(act: Read, channel: Channel, looked: Looked): Promise<Facts[]> {
  const { rows } = await sql<FactRow>`
    select r.id "roomId", r.village_id "villageId", r.full_name "fullName", r.name, r.kind, r.product_id "productId",
      r.is_leaf "isLeaf", r.parent_room_id "parentRoomId", v.name "villageName", v.address, v.state = 'open' "villageOpen",
      v.lng::text lng, v.lat::text lat, f.name floor, a.bedrooms, a.halls, a.baths, r.area::text area,
      coalesce(nullif(r.orientation, ''), a.orientation) orientation, r.facilities, r.description,
      coalesce((select array_agg(i.file_id order by i.sort, i.id) from room_picture i where i.room_id = r.id),
        (select array_agg(i.file_id order by i.sort, i.id) from product_picture i where i.product_id = r.product_id), '{}') pictures,
      p.list_price price, p.unit, coalesce(d.pay_plans, '[]') "payPlans",
      case when ${channel.phone} = 'manager' then coalesce(o.phone, v.phone) else v.phone end phone,
      case when ${channel.phone} = 'manager' then coalesce(o.real_name, v.name) else v.name end "contactName",
      case when r.publish_hold then r.hold_reason else '' end hold, l.hold_reason "listingHold",
      l.title "ownTitle", l.description "ownDescription", l.pictures "ownPictures",
      n.occupancy, n.condition, n.until, n.next_from "nextFrom"
    from room r join apartment a on a.id = r.apartment_id join village v on v.id = r.village_id
    join floor f on f.id = a.floor_id left join operator o on o.id = v.manager_id
    left join product d on d.id = r.product_id
    left join lateral (select list_price, unit from room_price x where x.room_id = r.id and x.effective_day <= ${act.today}
      order by x.effective_day desc limit 1) p on true
    left join listing l on l.room_id = r.id and l.channel_id = ${channel.id}
    left join ${statusOf(act.today, looked)} n on n.room_id = r.id
    where ${within(looked)}
      and r.first_day <= ${act.today} and not_retired(r.retired_day, ${act.today})
    order by r.id`.execute(act.tx);
  const below = Map.groupBy(rows, (row) => row.parentRoomId);
  return rows.map((row) => factOf(row, leavesOf(row, below)));
}

function leavesOf(row: FactRow, below: ReadonlyMap<number | null, FactRow[]>): Leaf[] {
  if (!row.isLeaf) return (below.get(row.roomId) ?? []).flatMap((child) => leavesOf(child, below));
  const { name, occupancy, condition, until, nextFrom } = row;
  return occupancy && condition ? [{ name, occupancy, condition, until, nextFrom }] : [];
}

function factOf(row: FactRow, leaves: Leaf[]): Facts {
  const { villageName, address, villageOpen, lng, lat, phone, contactName } = row;
  return {
    ...row,
    village: {
      name: villageName,
      address,
      open: villageOpen,
      lng: lng === null ? null : Number(lng),
      lat: lat === null ? null : Number(lat),
    },
    contact: { name: contactName, phone },
    hold: row.hold || row.listingHold || "",
    leaves,
    own: { title: row.ownTitle, description: row.ownDescription, pictures: row.ownPictures },
  };
}

/**
 * Flats whose rooms changed since a channel looked last, and from which transaction on it has not seen all: what was still
 * under way is looked at again. A database that was restored begins its transactions anew.
 */
export async function changedFlats(
  act: Act,
  { villageIds, seenXact }: Pick<Channel, "villageIds" | "seenXact">,
): Promise<{ flats: number[]; seenXact: string }> {
  const { rows } = await sql<{ flats: number[]; seenXact: string }>`
    select pg_snapshot_xmin(pg_current_snapshot()) "seenXact", array(
      select distinct r.apartment_id from room_change c join room r on r.id = c.room_id
      where c.village_id = ${anyOf(villageIds)} and c.xact_id >= (select case
        when ${seenXact}::xid8 > pg_snapshot_xmax(pg_current_snapshot()) then '0' else ${seenXact}::xid8 end)) flats`.execute(
    act.tx,
  );
  return rows[0]!;
}

type Row = Standing & { id: number; roomId: number; villageId: number; misses: string[] };
type Change = {
  roomId: number;
  villageId: number;
  document: ListingDocument | null;
  misses: string[];
  contentHash: string;
  state: string;
  retry: boolean;
  /** What stands at once, where nobody outside has to be asked. */
  done: "publish" | "update" | "withdraw" | null;
};

const hashOf = (document: ListingDocument) =>
  createHash("sha256").update(JSON.stringify(document)).digest("base64url");

/** Flats that are looked at together; a store has about as many. */
const FLATS_AT_ONCE = 500;

/** Looks at every room that changed since the last time, and at all of them on a new day. Answers how many listings moved. */
export async function evaluate(act: Act, channel: Channel): Promise<number> {
  if (!channel.enabled) return 0;
  const { flats, seenXact } = await changedFlats(act, channel);
  const newDay = channel.seenDay !== act.today;
  let moved = 0;
  if (newDay) {
    for (const villageId of channel.villageIds) moved += await lookAt(act, channel, { villageId });
    moved += await leaveOthers(act, channel);
  } else
    for (let i = 0; i < flats.length; i += FLATS_AT_ONCE)
      moved += await lookAt(act, channel, { apartmentIds: flats.slice(i, i + FLATS_AT_ONCE) });
  if (flats.length || newDay)
    await act.tx
      .updateTable("channel")
      .set({ seenXact, seenDay: act.today })
      .where("id", "=", channel.id)
      .execute();
  return moved;
}

/** Some rooms against the channel's rule. */
export async function lookAt(act: Act, channel: Channel, looked: Looked): Promise<number> {
  const facts = await factsOf(act, channel, looked);
  const known = await knownOf(act, channel.id, looked);
  const { direct } = ADAPTERS_BY_NAME[channel.adapter];
  const changes: Change[] = [];
  const seen = new Set<number>();
  for (const room of facts) {
    seen.add(room.roomId);
    const change = changeOf(act, channel, room, known.get(room.roomId), direct);
    if (change) changes.push(change);
  }
  for (const row of known.values()) if (!seen.has(row.roomId)) changes.push(gone(row, direct, "房间已注销"));
  return write(
    act,
    channel,
    changes.filter((c) => differs(c, known.get(c.roomId))),
  );
}

function changeOf(
  act: Act,
  { rule }: Channel,
  room: Facts,
  row: Row | undefined,
  direct: boolean,
): Change | undefined {
  // rooms that the channel is not about have no line of their own, unless they once had
  if (!row && !inRule(room, rule)) return undefined;
  const { misses, availableDay } = judge(room, rule, act.today);
  const document = misses.length ? null : documentOf(room, rule, availableDay, act.today);
  const contentHash = document ? hashOf(document) : (row?.contentHash ?? "");
  const before = row ?? { state: "pending" as const, failedAct: null, sentHash: null, contentHash: "" };
  const next = nextState(before, document !== null, contentHash);
  return {
    roomId: room.roomId,
    villageId: room.villageId,
    document,
    misses,
    contentHash,
    ...settled(before, next, direct),
  };
}

/** Where nobody outside has to be asked, what is to be sent has been sent. */
function settled(before: Standing, next: ReturnType<typeof nextState>, direct: boolean) {
  const done = direct ? (actOn({ ...before, state: next.state, failedAct: null }) ?? null) : null;
  const state = done === null ? next.state : done === "withdraw" ? "offline" : "online";
  return { state, retry: next.retry, done };
}

const gone = (row: Row, direct: boolean, why: string): Change => ({
  roomId: row.roomId,
  villageId: row.villageId,
  document: null,
  misses: [why],
  contentHash: row.contentHash,
  ...settled(row, nextState(row, false, row.contentHash), direct),
});

const differs = (c: Change, row: Row | undefined): boolean =>
  !row ||
  c.state !== row.state ||
  c.done !== null ||
  c.contentHash !== row.contentHash ||
  c.misses.join() !== row.misses.join();

const KNOWN = sql`
  select l.id, l.room_id "roomId", l.village_id "villageId", l.state, l.failed_act "failedAct", l.sent_hash "sentHash",
    l.content_hash "contentHash", l.misses from listing l`;

async function knownOf(act: Act, channelId: number, looked: Looked): Promise<Map<number, Row>> {
  const { rows } = await sql<Row>`${KNOWN}
    where l.channel_id = ${channelId} and ${
      "villageId" in looked
        ? sql`l.village_id = ${looked.villageId}`
        : sql`l.room_id in (select id from room r where ${within(looked)})`
    } order by l.id for no key update`.execute(act.tx);
  return new Map(rows.map((row) => [row.roomId, row]));
}

/** Stores that the channel no longer has. */
async function leaveOthers(act: Act, channel: Channel): Promise<number> {
  const { rows } =
    await sql<Row>`${KNOWN} where l.channel_id = ${channel.id} and not l.village_id = any(${channel.villageIds}::bigint[])
    order by l.id for no key update`.execute(act.tx);
  const { direct } = ADAPTERS_BY_NAME[channel.adapter];
  const changes = rows.map((row) => gone(row, direct, "门店不在该渠道"));
  const known = new Map(rows.map((row) => [row.roomId, row]));
  return write(
    act,
    channel,
    changes.filter((c) => differs(c, known.get(c.roomId))),
  );
}

/** All lines in one statement, and an event for what stands at once. */
async function write(act: Act, channel: Channel, changes: readonly Change[]): Promise<number> {
  if (!changes.length) return 0;
  const now = act.now.toISOString();
  await sql`
    with c as (select * from json_to_recordset(${JSON.stringify(changes)}::json) as c("roomId" bigint, "villageId" bigint,
      document jsonb, misses text[], "contentHash" text, state text, retry boolean, done text)),
    put as (
      insert into listing as l (channel_id, room_id, village_id, document, misses, content_hash, sent_hash, state, next_try_at,
        synced_at, updated_at)
      select ${channel.id}, "roomId", "villageId", nullif(document, 'null'), misses, "contentHash",
        case when done in ('publish', 'update') then "contentHash" end, state,
        case when state in ('queued', 'withdrawing') then ${now}::timestamptz end,
        case when done is not null then ${now}::timestamptz end, ${now}::timestamptz
      from c
      on conflict (channel_id, room_id) do update set
        document = coalesce(excluded.document, case when excluded.state = 'withdrawing' then l.document end),
        misses = excluded.misses, content_hash = excluded.content_hash, state = excluded.state,
        village_id = excluded.village_id,
        sent_hash = case when excluded.synced_at is null then l.sent_hash else excluded.sent_hash end,
        failed_act = case when excluded.state = 'failed' then l.failed_act end,
        error = case when excluded.state = 'failed' then l.error else '' end,
        tries = case when excluded.state = 'failed' then l.tries else 0 end,
        next_try_at = case when excluded.state = 'failed' then l.next_try_at else excluded.next_try_at end,
        synced_at = coalesce(excluded.synced_at, l.synced_at), updated_at = excluded.updated_at, version = l.version + 1
      returning l.id, l.room_id)
    insert into listing_event (channel_id, listing_id, room_id, at, act, ok)
    select ${channel.id}, put.id, put.room_id, ${now}::timestamptz, c.done, true
    from put join c on c."roomId" = put.room_id where c.done is not null`.execute(act.tx);
  return changes.length;
}
