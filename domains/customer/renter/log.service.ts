import type { Act } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";

type Entry = { action: string; summary: string; before?: unknown; after?: unknown };

/**
 * Writes the renter's timeline. Lines are read by village: the store that registered the person sees what others do to
 * the record, and a store that only links it sees what it did itself.
 */
export async function noteRenter(
  act: Act,
  renter: { id: number; homeVillageId: number },
  entry: Entry,
  alsoFor?: number,
): Promise<void> {
  const villages = new Set([renter.homeVillageId]);
  if (alsoFor) villages.add(alsoFor);
  else if (!act.who.villages.includes(renter.homeVillageId)) {
    const mine = await act.tx
      .selectFrom("partyVillage")
      .select("villageId")
      .where("partyId", "=", renter.id)
      .where("villageId", "=", anyOf(act.who.villages))
      .orderBy("villageId")
      .limit(1)
      .executeTakeFirst();
    if (mine) villages.add(mine.villageId);
  }
  await act.note(
    [...villages].map((villageId) => ({ kind: "renter", recordId: renter.id, villageId, ...entry })),
  );
}
