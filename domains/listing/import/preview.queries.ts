import { countRooms, type RoomMade } from "../room/divide.rules.ts";
import { buildingKey, missingOf } from "../building/building.service.ts";
import { RENT_MODES } from "../room/words.rules.ts";
import type { Plan, PlannedFlat } from "./check.queries.ts";
import type { ImportPreview } from "./preview.rules.ts";

const leaves = (rooms: readonly RoomMade[]): RoomMade[] =>
  rooms.flatMap((room) => (room.below ? leaves(room.below) : [room]));
const prices = (rooms: readonly RoomMade[]): number =>
  rooms.reduce((n, room) => n + (room.price ? 1 : 0) + prices(room.below ?? []), 0);
const sum = <T>(list: readonly T[], of: (item: T) => number) => list.reduce((n, item) => n + of(item), 0);
const cost = (flats: readonly PlannedFlat[]) =>
  sum(flats, (f) => sum(leaves(f.flat.rooms), (room) => room.price?.listPrice ?? 0));

/** Counts and totals of what a file without errors would make. */
export function previewOf({ flats, there }: Plan): ImportPreview {
  const missing = missingOf(
    there,
    flats.map((f) => f.spot),
  );
  const byVillage = Map.groupBy(flats, (f) => f.villageId);
  const byBuilding = Map.groupBy(flats, (f) => buildingKey(f.spot));
  const rooms = (list: readonly PlannedFlat[]) => sum(list, (f) => leaves(f.flat.rooms).length);
  return {
    made: {
      buildings: missing.buildings.length,
      units: missing.units.length,
      floors: missing.floors.length,
      apartments: flats.length,
      rooms: sum(flats, (f) => countRooms(f.flat.rooms)),
      prices: sum(flats, (f) => prices(f.flat.rooms)),
    },
    villages: [...byVillage].map(([id, list]) => ({
      id,
      name: list[0]!.villageName,
      apartments: list.length,
      rooms: rooms(list),
      listPrice: cost(list),
    })),
    buildings: [...byBuilding].slice(0, 200).map(([key, list]) => ({
      village: list[0]!.villageName,
      name: [list[0]!.spot.community, list[0]!.spot.building].filter(Boolean).join("·"),
      isNew: !there.buildings.has(key),
      floors: new Set(list.map((f) => `${f.spot.unit} ${f.spot.floor}`)).size,
      apartments: list.length,
      rooms: rooms(list),
    })),
    rows: flats.slice(0, 50).map(({ n, flat, villageName, spot }) => ({
      row: n,
      village: villageName,
      place: [spot.community, spot.building, spot.unit, flat.door].filter(Boolean).join("·"),
      mode: RENT_MODES[flat.mode][0],
      rooms: leaves(flat.rooms)
        .map((room) => room.name)
        .join("、"),
      area: flat.facts.grossArea,
      listPrice: sum(leaves(flat.rooms), (room) => room.price?.listPrice ?? 0),
    })),
  };
}
