import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

export type PartyKind = "renter" | "company" | "merchant";
export type Noted = { id: number; kind: PartyKind; homeVillageId: number };
type Entry = { action: string; summary: string; before?: unknown; after?: unknown };

/**
 * Writes the timeline of a party. Lines are read by village: the store that registered it sees what others do to the
 * record, and a store that only links it sees what it did itself.
 */
export async function noteParty(act: Act, party: Noted, entry: Entry, alsoFor?: number): Promise<void> {
  const villages = new Set([party.homeVillageId]);
  if (alsoFor) villages.add(alsoFor);
  else if (!act.who.villages.includes(party.homeVillageId)) {
    const mine = await act.tx
      .selectFrom("partyVillage")
      .select("villageId")
      .where("partyId", "=", party.id)
      .where("villageId", "=", anyOf(act.who.villages))
      .orderBy("villageId")
      .limit(1)
      .executeTakeFirst();
    if (mine) villages.add(mine.villageId);
  }
  await act.note(
    [...villages].map((villageId) => ({ kind: party.kind, recordId: party.id, villageId, ...entry })),
  );
}
