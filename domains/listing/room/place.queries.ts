import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Place } from "./place.rules.ts";

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
