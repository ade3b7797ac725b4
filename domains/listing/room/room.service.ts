import { sql } from "kysely";
import { minDay, type Day } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";
import type { RoomMade } from "../apartment/divide.rules.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { fullNameOf, placeKeyOf, type Place } from "./place.rules.ts";
import { flatPlaces } from "./place.queries.ts";
import { setPrices, type NewPrice } from "./price.service.ts";

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

/** Rooms of any number of flats at once, with their prices; answers the ids of each entry, children after their parents. */
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
      area, coalesce(orientation, ''), capacity, "productId", coalesce("priceMode", 'own'), coalesce(facilities, '{}'),
      coalesce(tags, '{}'), coalesce(description, ''), "minTermMonths", coalesce(remark, ''), sort, ${by}, ${by}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "apartmentId" bigint, "villageId" bigint,
      "parentRoomId" bigint, kind text, name text, "fullName" text, place text, pinyin text, "isLeaf" boolean,
      "firstDay" date, area numeric, orientation text, capacity int, "productId" bigint, "priceMode" text,
      facilities text[], tags text[], description text, "minTermMonths" int, remark text, sort int)`.execute(
    act.tx,
  );
}
