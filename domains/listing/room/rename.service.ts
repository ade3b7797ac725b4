import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { fullNameOf, placeKeyOf, type Place } from "./place.rules.ts";

/** Which flats: by themselves or by anything above them. */
export type Below =
  | { apartmentIds: readonly number[] }
  | { floorId: number }
  | { unitId: number }
  | { buildingId: number }
  | { villageId: number };

const among = (below: Below) =>
  "apartmentIds" in below
    ? sql`a.id = ${anyOf(below.apartmentIds)}`
    : "floorId" in below
      ? sql`a.floor_id = ${below.floorId}`
      : "unitId" in below
        ? sql`a.unit_id = ${below.unitId}`
        : "buildingId" in below
          ? sql`a.building_id = ${below.buildingId}`
          : sql`a.village_id = ${below.villageId}`;

export type FlatPlace = Omit<Place, "rooms"> & { apartmentId: number; villageId: number };

/** The address of each flat, by its id. */
export async function flatPlaces(read: Read, below: Below): Promise<Map<number, FlatPlace>> {
  const { rows } = await sql<FlatPlace>`
    select a.id "apartmentId", a.village_id "villageId", coalesce(nullif(v.short_name, ''), v.name) village,
      b.community_name community, b.name building, b.sort "buildingSort", u.name unit, coalesce(u.sort, 0) "unitSort",
      f.number floor, a.name apartment
    from apartment a join village v on v.id = a.village_id join building b on b.id = a.building_id
    left join unit u on u.id = a.unit_id join floor f on f.id = a.floor_id
    where ${among(below)}`.execute(read.tx);
  return new Map(rows.map((row) => [row.apartmentId, row]));
}

export type FloorPlace = Omit<Place, "rooms" | "apartment"> & { floorId: number };

/** The address of each floor, for flats that are about to be made on it. */
export async function floorPlaces(read: Read, floorIds: readonly number[]): Promise<Map<number, FloorPlace>> {
  const { rows } = await sql<FloorPlace>`
    select f.id "floorId", coalesce(nullif(v.short_name, ''), v.name) village, b.community_name community,
      b.name building, b.sort "buildingSort", u.name unit, coalesce(u.sort, 0) "unitSort", f.number floor
    from floor f join building b on b.id = f.building_id join village v on v.id = b.village_id
    left join unit u on u.id = f.unit_id
    where f.id = ${anyOf([...new Set(floorIds)])}`.execute(read.tx);
  return new Map(rows.map((row) => [row.floorId, row]));
}

type Row = { id: number; apartmentId: number; villageId: number; kind: string; names: string[] };

/**
 * Rebuilds the full names and the order of every flat and room below a place, in the transaction that renamed it. The
 * room of a flat that is let as a whole is called like the door.
 */
export async function rename(act: Act, below: Below): Promise<void> {
  const places = await flatPlaces(act, below);
  if (!places.size) return;
  const ids = [...places.keys()];
  await sql`
    update room r set name = a.name from apartment a
    where a.id = r.apartment_id and a.id = ${anyOf(ids)} and r.retired_day is null and r.parent_room_id is null
      and r.kind not in ('room', 'bed') and r.name <> a.name`.execute(act.tx);
  const { rows } = await sql<Row>`
    with recursive tree as (
      select id, apartment_id, village_id, kind, case when kind in ('room', 'bed') then array[name] else '{}' end names
      from room where apartment_id = ${anyOf(ids)} and parent_room_id is null
      union all
      select r.id, r.apartment_id, r.village_id, r.kind, t.names || r.name
      from room r join tree t on r.parent_room_id = t.id)
    select id, apartment_id "apartmentId", village_id "villageId", kind, names from tree`.execute(act.tx);
  const initials = new Map<string, string>();
  const known = (text: string) => {
    if (!initials.has(text)) initials.set(text, initialsOf(text));
    return initials.get(text)!;
  };
  const flats = ids.map((id) => ({ id, place: placeKeyOf({ ...places.get(id)!, rooms: [] }) }));
  const rooms = rows.map((row) => {
    const place = { ...places.get(row.apartmentId)!, rooms: row.names };
    const fullName = fullNameOf(place);
    return {
      id: row.id,
      fullName,
      place: placeKeyOf(place),
      pinyin: fullName.split("·").map(known).join(" "),
    };
  });
  await sql`
    update apartment a set place = n.place
    from json_to_recordset(${JSON.stringify(flats)}::json) as n(id bigint, place text)
    where a.id = n.id and a.place <> n.place`.execute(act.tx);
  await sql`
    update room r set full_name = n."fullName", place = n.place, pinyin = n.pinyin
    from json_to_recordset(${JSON.stringify(rooms)}::json) as n(id bigint, "fullName" text, place text, pinyin text)
    where r.id = n.id and (r.full_name, r.place) is distinct from (n."fullName", n.place)`.execute(act.tx);
  await changed(
    act,
    rows.map((r) => ({ roomId: r.id, villageId: r.villageId })),
  );
}

/** Has boards draw rooms anew and channels look at them again: what both say of them changed. */
export async function redraw(
  act: Act,
  of: { apartmentId: number } | { villageId: number } | { productId: number },
): Promise<void> {
  const rooms = await act.tx
    .selectFrom("room")
    .select(["id as roomId", "villageId"])
    .where((eb) => eb.and(of))
    .where(sql<boolean>`not_retired(retired_day, ${act.today})`)
    .execute();
  await changed(act, rooms);
}
