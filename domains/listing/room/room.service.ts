import { sql } from "kysely";
import { type Day, minDay } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { attachPictures } from "../../system/file/file.service.ts";
import type { RoomMade } from "./divide.rules.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { followProducts } from "./product-price.service.ts";
import { flatPlaces } from "./rename.service.ts";
import { type Place, fullNameOf, placeKeyOf } from "./place.rules.ts";
import { type PriceUnit, layoutText } from "./words.rules.ts";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import { part } from "../../../platform/server/lists/conditions.ts";

export type Price = {
  roomId: number;
  effectiveDay: Day;
  listPrice: Fen;
  lowestPrice: Fen;
  unit: PriceUnit;
};

/** The price of each room at a day: the last row on or before it. Rooms without one are missing from the map. */
export async function priceAt(read: Read, roomIds: readonly number[], day: Day): Promise<Map<number, Price>> {
  if (!roomIds.length) return new Map();
  const { rows } = await sql<Price>`
    select p.room_id "roomId", p.effective_day "effectiveDay", p.list_price "listPrice",
      p.lowest_price "lowestPrice", p.unit
    from unnest(${roomIds as number[]}::bigint[]) as r(id)
    cross join lateral (select * from room_price where room_id = r.id and effective_day <= ${day}
      order by effective_day desc limit 1) p`.execute(read.tx);
  return new Map(rows.map((row) => [row.roomId, row]));
}

/** Rooms whose prices are about to change, in the order of their ids: whoever signs or prices one of them waits. */
export async function lockRooms(act: Act, roomIds: readonly number[]): Promise<void> {
  await sql`select id from room where id = any(${roomIds as number[]}::bigint[]) order by id for no key update`.execute(
    act.tx,
  );
}

/**
 * The price `p` of room `r` as rent of a month, as budgets are, where it is by the day or by area; a month has 365 ÷ 12
 * days.
 */
export const MONTHLY_PRICE = sql`(p.list_price * case p.unit when 'month' then 1 when 'day' then 365 / 12.0 else r.area * 365 / 12.0 end)`;

export type NewPrice = Price & { source: "product" | "manual" | "batch" | "import"; sourceId?: number };

/** Writes prices from their days on; a second price for the same room and day takes the place of the first. */
export async function setPrices(act: Act, prices: readonly NewPrice[]): Promise<void> {
  if (!prices.length) return;
  await sql`
    insert into room_price (room_id, effective_day, list_price, lowest_price, unit, source, source_id, created_by)
    select "roomId", "effectiveDay", "listPrice", "lowestPrice", unit, source, "sourceId", ${act.who.operatorId || null}
    from json_to_recordset(${JSON.stringify(prices)}::json) as p("roomId" bigint, "effectiveDay" date,
      "listPrice" bigint, "lowestPrice" bigint, unit text, source text, "sourceId" bigint)
    on conflict (room_id, effective_day) do update set list_price = excluded.list_price,
      lowest_price = excluded.lowest_price, unit = excluded.unit, source = excluded.source,
      source_id = excluded.source_id, created_at = now(), created_by = excluded.created_by`.execute(act.tx);
}

constraintSays("room_name_once", { field: "name", msg: "同一房源下房间名已存在" });

export type NewRoom = RoomMade & {
  description?: string;
  remark?: string;
  priceMode?: "own" | "follow";
};
export type NewRooms = {
  apartmentId: number;
  /** The room they hang under; null or missing for the first level of the flat. */
  parent?: { id: number; names: readonly string[] } | null;
  rooms: readonly NewRoom[];
  /** The import that brings them: their prices carry it as source. */
  imported?: number | undefined;
};

type Row = NewRoom & {
  id: number;
  apartmentId: number;
  villageId: number;
  parentRoomId: number | null;
  fullName: string;
  place: string;
  pinyin: string;
  isLeaf: boolean;
  firstDay: Day;
  sort: number;
};

/**
 * Rooms of any number of flats at once, with their prices; one of a product that has no price of its own follows it. Answers the ids of each entry, children after their parents.
 */
export async function createRooms(act: Act, entries: readonly NewRooms[]): Promise<number[][]> {
  const places = await flatPlaces(act, { apartmentIds: entries.map((e) => e.apartmentId) });
  const count = (rooms: readonly NewRoom[]): number =>
    rooms.reduce((n, r) => n + 1 + count(r.below ?? []), 0);
  const ids = await nextIds(
    act,
    "room",
    entries.reduce((n, e) => n + count(e.rooms), 0),
  );
  const initials = new Map<string, string>();
  const known = (text: string) => {
    if (!initials.has(text)) initials.set(text, initialsOf(text));
    return initials.get(text)!;
  };
  const rows: Row[] = [];
  const prices: NewPrice[] = [];
  let next = 0;
  const answer = entries.map((entry) => {
    const flat = places.get(entry.apartmentId)!;
    const mine: number[] = [];
    const add = (room: NewRoom, parentId: number | null, above: readonly string[], sort: number) => {
      const id = ids[next++]!;
      const { below = [], price, ...rest } = room;
      // what is let as a whole is called by its door: its own name would say it twice
      const names = parentId === null && !["room", "bed"].includes(room.kind) ? [] : [...above, room.name];
      const place: Place = { ...flat, rooms: names };
      const firstDay = room.firstDay ?? act.today;
      const fullName = fullNameOf(place);
      rows.push({
        priceMode: rest.productId && !price ? "follow" : "own",
        ...rest,
        id,
        apartmentId: entry.apartmentId,
        villageId: flat.villageId,
        parentRoomId: parentId,
        fullName,
        place: placeKeyOf(place),
        pinyin: fullName.split("·").map(known).join(" "),
        isLeaf: below.length === 0,
        firstDay,
        sort,
      });
      if (price)
        prices.push({
          ...price,
          roomId: id,
          effectiveDay: minDay(firstDay, act.today),
          source: entry.imported ? "import" : "manual",
          ...(entry.imported && { sourceId: entry.imported }),
        });
      mine.push(id);
      below.forEach((child, i) => add(child, id, names, i));
    };
    entry.rooms.forEach((room, i) => add(room, entry.parent?.id ?? null, entry.parent?.names ?? [], i));
    return mine;
  });
  await insertRooms(act, rows);
  await setPrices(act, prices);
  await followProducts(
    act,
    rows.flatMap((row) => (row.priceMode === "follow" ? [row.id] : [])),
  );
  await changed(
    act,
    rows.map((r) => ({ roomId: r.id, villageId: r.villageId })),
  );
  return answer;
}

async function insertRooms(act: Act, rows: readonly Row[]): Promise<void> {
  const by = act.who.operatorId || null;
  await sql`
    insert into room (id, apartment_id, village_id, parent_room_id, kind, name, full_name, place, pinyin, is_leaf, first_day,
      area, orientation, capacity, product_id, price_mode, facilities, tags, description, min_term_months, remark, sort,
      created_by, updated_by)
    select id, "apartmentId", "villageId", "parentRoomId", kind, name, "fullName", place, pinyin, "isLeaf", "firstDay",
      area, coalesce(orientation, ''), capacity, "productId", "priceMode", coalesce(facilities, '{}'),
      coalesce(tags, '{}'), coalesce(description, ''), "minTermMonths", coalesce(remark, ''), sort, ${by}, ${by}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "apartmentId" bigint, "villageId" bigint,
      "parentRoomId" bigint, kind text, name text, "fullName" text, place text, pinyin text, "isLeaf" boolean,
      "firstDay" date, area numeric, orientation text, capacity int, "productId" bigint, "priceMode" text,
      facilities text[], tags text[], description text, "minTermMonths" int, remark text, sort int)`.execute(
    act.tx,
  );
}

/**
 * Hangs uploaded pictures on a village: whoever sees the village sees them, also where one picture shows many of its
 * rooms.
 */
export const hangPictures = (act: Act, villageId: number, fileIds: readonly number[]): Promise<void> =>
  attachPictures(act, fileIds, { targetKind: "village", targetId: villageId, villageId });

/** Sets the pictures of rooms of one village; the first is the cover. */
export async function setPictures(
  act: Act,
  rooms: readonly { id: number; villageId: number }[],
  fileIds: readonly number[],
): Promise<void> {
  const [villageId, ...others] = new Set(rooms.map((room) => room.villageId));
  if (others.length) throw invalid({ field: "pictures", msg: "图片只能设置给同一门店的房间" });
  await hangPictures(act, villageId!, fileIds);
  const ids = rooms.map((room) => room.id);
  await act.tx.deleteFrom("roomPicture").where("roomId", "=", anyOf(ids)).execute();
  if (!fileIds.length) return;
  await act.tx
    .insertInto("roomPicture")
    .values(ids.flatMap((roomId) => fileIds.map((fileId, sort) => ({ roomId, fileId, sort }))))
    .execute();
}

type Found = { id: number; fullName: string; bedrooms: number; halls: number; baths: number };

/**
 * Rooms of the operator's stores by what is typed of their place, the one with just this number first. Two characters
 * begin the room's own number or the initials of its place: so short a part of a name has no index.
 */
export async function findRooms(read: Read, typed: string, most: number) {
  const begins = beginning(typed);
  const { rows } = await sql<Found>`
    select r.id, r.full_name "fullName", a.bedrooms, a.halls, a.baths
    from room r join apartment a on a.id = r.apartment_id
    where r.village_id = ${anyOf(read.who.villages)} and not_retired(r.retired_day, ${read.today})
      and ${
        typed.length > 2
          ? part("r.full_name", "r.pinyin")(typed)
          : sql`(r.name like ${begins.toUpperCase()} or r.pinyin like ${begins.toLowerCase()})`
      }
    order by r.name = ${typed} desc, r.village_id, r.place, r.id limit ${most}`.execute(read.tx);
  return rows.map(({ id, fullName, ...rest }) => ({ id, title: fullName, note: layoutText(rest) }));
}
