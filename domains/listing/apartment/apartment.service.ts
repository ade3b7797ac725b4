import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { floorPlaces } from "../room/rename.service.ts";
import { placeKeyOf } from "../room/place.rules.ts";
import { createRooms, type NewRoom } from "../room/room.service.ts";
import type { Gender, RentMode } from "../room/words.rules.ts";

constraintSays("apartment_name_once", { field: "name", msg: "同一楼栋单元下门牌已存在" });

export type NewApartment = {
  villageId: number;
  buildingId: number;
  unitId: number | null;
  floorId: number;
  /** The number on the door. */
  name: string;
  rentMode: RentMode;
  wholeToo?: boolean;
  bedrooms?: number;
  halls?: number;
  baths?: number;
  kitchens?: number;
  grossArea: number;
  innerArea?: number | null;
  orientation?: string;
  decoration?: string;
  gender?: Gender;
  layoutTags?: readonly string[];
  /** A code of the house dictionary. */
  source?: string;
  headLeaseEnd?: Day | null;
  certificateNo?: string;
  remark?: string;
  importId?: number;
  /** As `roomsOf` makes them: one for a flat let as a whole, one per name for a divided flat. */
  rooms: NewRoom[];
};

/**
 * Makes flats with their rooms and prices in a handful of statements, however many there are. Places must be in scope: the
 * caller has checked that. Answers ids in the order of the rows.
 */
export async function createApartments(
  act: Act,
  flats: readonly NewApartment[],
): Promise<{ id: number; roomIds: number[] }[]> {
  if (!flats.length) return [];
  const ids = await nextIds(act, "apartment", flats.length);
  const floors = await floorPlaces(
    act,
    flats.map((flat) => flat.floorId),
  );
  const rows = flats.map(({ rooms: _, ...flat }, i) => ({
    ...flat,
    id: ids[i],
    place: placeKeyOf({ ...floors.get(flat.floorId)!, apartment: flat.name, rooms: [] }),
  }));
  const by = act.who.operatorId || null;
  await sql`
    insert into apartment (id, village_id, building_id, unit_id, floor_id, name, rent_mode, whole_too, bedrooms, halls,
      baths, kitchens, gross_area, inner_area, orientation, decoration, gender, source, head_lease_end, certificate_no,
      remark, layout_tags, place, import_id, created_by, updated_by)
    select id, "villageId", "buildingId", "unitId", "floorId", name, "rentMode", coalesce("wholeToo", false),
      coalesce(bedrooms, 0), coalesce(halls, 0), coalesce(baths, 0), coalesce(kitchens, 0), "grossArea", "innerArea",
      coalesce(orientation, ''), coalesce(decoration, ''), coalesce(gender, 'any'), coalesce(source, 'own'),
      "headLeaseEnd", coalesce("certificateNo", ''), coalesce(remark, ''), coalesce("layoutTags", '{}'), place, "importId", ${by}, ${by}
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(id bigint, "villageId" bigint, "buildingId" bigint,
      "unitId" bigint, "floorId" bigint, name text, "rentMode" text, "wholeToo" boolean, bedrooms int, halls int,
      baths int, kitchens int, "grossArea" numeric, "innerArea" numeric, orientation text, decoration text, gender text,
      source text, "headLeaseEnd" date, "certificateNo" text, remark text, "layoutTags" text[], place text, "importId" bigint)`.execute(
    act.tx,
  );
  const roomIds = await createRooms(
    act,
    flats.map((flat, i) => ({ apartmentId: ids[i]!, rooms: flat.rooms, imported: flat.importId })),
  );
  return ids.map((id, i) => ({ id, roomIds: roomIds[i]! }));
}
