import { sql, type RawBuilder } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** Whether a store of the operator's has to do with the party whose id stands in this column: he sees no other. */
export const seenIn = (read: Read, id: "renter.id" | "firm.id"): RawBuilder<boolean> => sql<boolean>`exists (
  select from party_village pv where pv.party_id = ${sql.ref(id)} and pv.village_id = ${anyOf(read.who.villages)})`;

/** The stores of a party, of those that the operator sees. */
export const storesOf = (read: Read, partyId: number): Promise<{ id: number; name: string }[]> =>
  read.tx
    .selectFrom("partyVillage")
    .innerJoin("village", "village.id", "partyVillage.villageId")
    .select(["village.id", "village.name"])
    .where("partyVillage.partyId", "=", partyId)
    .where("partyVillage.villageId", "=", anyOf(read.who.villages))
    .orderBy("village.name")
    .execute();
