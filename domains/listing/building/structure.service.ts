import type { Act } from "../../../platform/server/pipeline/act.ts";
import { createBuildings, createFloors, createUnits } from "./building.service.ts";
import { buildingKey, floorKey, missingOf, unitKey, type Spot, type Structure } from "./structure.queries.ts";

export type Standing = { buildingId: number; unitId: number | null; floorId: number };

/**
 * Makes the buildings, units and floors that some spots still lack, in three statements. Answers where each floor
 * stands, by `floorKey`. A new building is as high as its highest spot.
 */
export async function raise(
  act: Act,
  there: Structure,
  spots: readonly Spot[],
  more: { address?: string; importId?: number } = {},
): Promise<(spot: Spot) => Standing> {
  const missing = missingOf(there, spots);
  const buildings = new Map([...there.buildings].map(([key, b]) => [key, b.id]));
  const units = new Map(there.units);
  const floors = new Map(there.floors);
  const add = (known: Map<string, number>, keys: string[], ids: number[]) =>
    keys.forEach((key, i) => known.set(key, ids[i]!));

  const byBuilding = Map.groupBy(spots, buildingKey);
  const heights = (s: Spot) => byBuilding.get(buildingKey(s))!.map((each) => each.floor);
  add(
    buildings,
    missing.buildings.map(buildingKey),
    await createBuildings(
      act,
      missing.buildings.map((s) => ({
        ...more,
        villageId: s.villageId,
        communityName: s.community,
        name: s.building,
        floorsAbove: heights(s).reduce((top, n) => Math.max(top, n), 1),
        floorsBelow: heights(s).reduce((low, n) => Math.max(low, -n), 0),
      })),
    ),
  );
  const imported = more.importId === undefined ? {} : { importId: more.importId };
  const sorts = new Map<string, number>();
  add(
    units,
    missing.units.map(unitKey),
    await createUnits(
      act,
      missing.units.map((s) => {
        const sort = sorts.get(buildingKey(s)) ?? 0;
        sorts.set(buildingKey(s), sort + 1);
        return { ...imported, buildingId: buildings.get(buildingKey(s))!, name: s.unit!, sort };
      }),
    ),
  );
  const unitOf = (s: Spot) => (s.unit === null ? null : units.get(unitKey(s))!);
  add(
    floors,
    missing.floors.map(floorKey),
    await createFloors(
      act,
      missing.floors.map((s) => ({
        ...imported,
        buildingId: buildings.get(buildingKey(s))!,
        unitId: unitOf(s),
        number: s.floor,
      })),
    ),
  );
  return (spot) => ({
    buildingId: buildings.get(buildingKey(spot))!,
    unitId: unitOf(spot),
    floorId: floors.get(floorKey(spot))!,
  });
}
