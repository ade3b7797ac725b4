import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { placeKey } from "./value.rules.ts";

export type Village = {
  id: number;
  name: string;
  shortName: string;
  code: string;
  state: string;
  enterpriseId: number;
};

/** The villages in scope by every name they go by; a name that two have leads to neither. */
export async function villagesByName(read: Read): Promise<Map<string, Village>> {
  const villages = await read.tx
    .selectFrom("village")
    .select(["id", "name", "shortName", "code", "state", "enterpriseId"])
    .where("id", "=", anyOf(read.who.villages))
    .execute();
  const found = new Map<string, Village>();
  const twice = new Set<string>();
  for (const village of villages)
    for (const name of new Set([village.name, village.code, village.shortName].filter(Boolean)))
      if (found.has(name)) twice.add(name);
      else found.set(name, village);
  for (const name of twice) found.delete(name);
  return found;
}

export type Place = {
  id: number;
  villageId: number;
  name: string;
  kind: "whole" | "room" | "bed" | "shop" | "parking" | "storage";
  retiredDay: Day | null;
  /** Itself, or the rooms below it: what is really let. */
  leaves: number[];
};
export type Places = (villageId: number, typed: string) => Place | "unknown" | "ambiguous";

/**
 * The rooms of some villages by name: the whole one, the one without the village, or any last parts of it that no
 * other room shares. A whole name counts before a shorter one.
 */
export async function placesOf(read: Read, villageIds: readonly number[]): Promise<Places> {
  const { rows } = await sql<Place>`
    with recursive below as (
      select id top, id, is_leaf from room where village_id = any(${villageIds as number[]}::bigint[])
      union all select b.top, r.id, r.is_leaf from room r join below b on r.parent_room_id = b.id),
    leaves as (select top, array_agg(id order by id) ids from below where is_leaf group by 1)
    select r.id, r.village_id "villageId", r.full_name name, r.kind, coalesce(r.retired_day, a.retired_day) "retiredDay",
      l.ids leaves
    from room r join apartment a on a.id = r.apartment_id join leaves l on l.top = r.id
    where r.village_id = any(${villageIds as number[]}::bigint[])`.execute(read.tx);
  const whole = new Map<string, Place>();
  const short = new Map<string, Place | "ambiguous">();
  // of two rooms of one name the one that still stands is meant
  for (const place of rows.toSorted(
    (a, b) => Number(b.retiredDay !== null) - Number(a.retiredDay !== null),
  )) {
    const parts = place.name.split(/[·-]/);
    for (let i = 0; i < parts.length; i++) {
      const key = `${place.villageId} ${placeKey(parts.slice(i).join(""))}`;
      if (i <= 1) whole.set(key, place);
      const other = short.get(key);
      const same = other === undefined || (other !== "ambiguous" && other.name === place.name);
      short.set(key, same ? place : "ambiguous");
    }
  }
  return (villageId, typed) => {
    const key = `${villageId} ${placeKey(typed)}`;
    return whole.get(key) ?? short.get(key) ?? "unknown";
  };
}

export type Wanted = { n: number; leaves: readonly number[]; from: Day; to: Day };
export type Obstacle = { n: number; room: string; from: Day; to: Day | null; who: string; heldOver: boolean };

/** Who has a room in the wanted days, or stays in it past the end of the lease; at most one for each wanted row. */
export async function obstaclesOf(read: Read, wanted: readonly Wanted[]): Promise<Map<number, Obstacle>> {
  const rows = wanted.flatMap(({ n, leaves, from, to }) => leaves.map((room) => ({ n, room, from, to })));
  const found = await sql<Obstacle>`
    select distinct on (w.n) w.n, r.full_name room, lower(o.period) "from", upper(o.period) - 1 "to",
      coalesce(c.contract_no, b.number, '预订') who, coalesce(c.state = 'expired', false) "heldOver"
    from json_to_recordset(${JSON.stringify(rows)}::json) w(n int, room bigint, "from" date, "to" date)
    join occupancy_row o on o.room_id = w.room join room r on r.id = o.room_id
    left join contract c on c.id = o.contract_id left join room_block b on b.id = o.block_id
    where o.period && daterange(w."from", w."to", '[]') or c.state = 'expired'
    order by w.n, lower(o.period)`.execute(read.tx);
  return new Map(found.rows.map((row) => [row.n, row]));
}
