import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";

// A unit or floor is seen through the village of its building.

export async function buildingSeen(read: Read, id: number) {
  return seen(
    read.who,
    await read.tx.selectFrom("building").selectAll().where("id", "=", id).executeTakeFirst(),
  );
}

export async function unitSeen(read: Read, id: number) {
  return seen(
    read.who,
    await read.tx
      .selectFrom("unit as u")
      .innerJoin("building as b", "b.id", "u.buildingId")
      .selectAll("u")
      .select(["b.villageId", "b.name as buildingName"])
      .where("u.id", "=", id)
      .executeTakeFirst(),
  );
}

export async function floorSeen(read: Read, id: number) {
  return seen(
    read.who,
    await read.tx
      .selectFrom("floor as f")
      .innerJoin("building as b", "b.id", "f.buildingId")
      .selectAll("f")
      .select(["b.villageId", "b.name as buildingName", "b.floorsAbove", "b.floorsBelow"])
      .where("f.id", "=", id)
      .executeTakeFirst(),
  );
}

/** A floor together with the unit it is said to lie in; a pair that does not belong together does not exist. */
export async function floorOf(read: Read, floorId: number, unitId: number | null) {
  const floor = await floorSeen(read, floorId);
  if (floor.unitId !== unitId) throw notFound();
  return floor;
}
