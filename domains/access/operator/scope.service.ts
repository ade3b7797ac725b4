import { sql } from "kysely";
import type { Act } from "../../../platform/server/act.ts";

/** Puts a village into the scope of operators; it is visible from their next call on. Who sees all villages anyway keeps no list. */
export async function grantVillage(
  act: Act,
  villageId: number,
  operatorIds: readonly number[],
): Promise<void> {
  await act.tx
    .updateTable("operator")
    .set({
      villageIds: sql`array_append(village_ids, ${villageId}::bigint)`,
      version: sql`version + 1`,
      updatedAt: act.now.toISOString(),
      updatedBy: act.who.operatorId || null,
    })
    .where("id", "in", [0, ...operatorIds])
    .where("superType", "=", "")
    .where("allVillages", "=", false)
    .where(sql<boolean>`not village_ids @> array[${villageId}::bigint]`)
    .execute();
}

/** Takes a village that no longer exists out of every scope. */
export async function withdrawVillage(act: Act, villageId: number): Promise<void> {
  await act.tx
    .updateTable("operator")
    .set({
      villageIds: sql`array_remove(village_ids, ${villageId}::bigint)`,
      version: sql`version + 1`,
    })
    .where(sql<boolean>`village_ids @> array[${villageId}::bigint]`)
    .execute();
}
