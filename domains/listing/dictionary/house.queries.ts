import { sql } from "kysely";
import type { DicUses } from "../../system/dic/dic.service.ts";
import { usesIn, type Place } from "../../system/dic/places.service.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { mappedWords, renameMapped } from "./mapped.queries.ts";

/** Which columns hold the words of a group. */
const PLACES: Record<string, readonly Place[]> = {
  layoutTag: [{ table: "apartment", column: "layout_tags", many: true }],
  source: [{ table: "apartment", column: "source" }],
  buildingKind: [{ table: "building", column: "kind" }],
  orientation: [
    { table: "apartment", column: "orientation" },
    { table: "room", column: "orientation" },
  ],
  decoration: [{ table: "apartment", column: "decoration" }],
  roomTag: [{ table: "room", column: "tags", many: true }],
  areaKind: [{ table: "public_area", column: "kind_dic" }],
  blockNote: [{ table: "room_block", column: "note", written: true }],
  holdReason: [{ table: "room", column: "hold_reason", written: true }],
  room: [{ table: "room", column: "facilities", many: true }],
};

const inRecords = usesIn(
  PLACES,
  (enterpriseId) =>
    sql<boolean>`village_id in (select id from village where enterprise_id = ${enterpriseId})`,
  async (act, table, rows) => {
    if (table === "room") await changed(act, rows);
  },
);

/**
 * Words in the flats, rooms and public areas of the enterprise; boards hear of rooms whose words changed, and what
 * channels call a word outside goes along with it.
 */
export const houseUses: DicUses = {
  count: inRecords.count,
  mapped: mappedWords,
  move: async (act, group, from, to) => {
    await renameMapped(act, group, from, to);
    return inRecords.move(act, group, from, to);
  },
};
