import { sql } from "kysely";
import { usesIn, type Place } from "../../system/dic/places.service.ts";
import { changed } from "../occupancy/occupancy.service.ts";

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
  room: [{ table: "room", column: "facilities", many: true }],
};

/** Words in the flats, rooms and public areas of the enterprise; boards hear of rooms whose words changed. */
export const houseUses = usesIn(
  PLACES,
  (enterpriseId) =>
    sql<boolean>`village_id in (select id from village where enterprise_id = ${enterpriseId})`,
  async (act, table, rows) => {
    if (table === "room") await changed(act, rows);
  },
);
