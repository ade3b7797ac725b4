import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { initialsOf } from "../../../platform/server/database/pinyin.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { flatPlaces, type Below } from "./place.queries.ts";
import { fullNameOf, placeKeyOf } from "./place.rules.ts";

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

/** Has boards draw the rooms of a flat anew: what a tile says of it changed. */
export async function redraw(act: Act, apartmentId: number): Promise<void> {
  const rooms = await act.tx
    .selectFrom("room")
    .select(["id as roomId", "villageId"])
    .where("apartmentId", "=", apartmentId)
    .execute();
  await changed(act, rooms);
}
