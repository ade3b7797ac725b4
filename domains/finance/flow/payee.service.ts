import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { villageOf } from "../setting/setting.service.ts";

/**
 * Who is paid for a cost, or paid in passing without being a customer: one party per name, made when first named.
 * Only suppliers and third parties; tenants and companies belong to the customers' own screens.
 */
export async function payeeNamed(
  act: Act,
  of: { villageId: number; kind: "supplier" | "thirdParty"; name: string },
): Promise<number> {
  const { enterpriseId } = await villageOf(act, of.villageId);
  const name = of.name.trim();
  const known = await act.tx
    .selectFrom("party")
    .select("id")
    .where("enterpriseId", "=", enterpriseId)
    .where("kind", "=", of.kind)
    .where("name", "=", name)
    .orderBy("id")
    .executeTakeFirst();
  const party =
    known ??
    (await act.tx
      .insertInto("party")
      .values({ enterpriseId, kind: of.kind, name, createdBy: act.who.operatorId || null })
      .returning("id")
      .executeTakeFirstOrThrow());
  await act.tx
    .insertInto("partyVillage")
    .values({ partyId: party.id, villageId: of.villageId, because: "link", firstDay: act.today })
    .onConflict((oc) => oc.doNothing())
    .execute();
  return party.id;
}

/** A customer must be linked to the village where it pays; anybody else does not exist there. */
export async function checkPayer(read: Pick<Read, "tx">, villageId: number, partyId: number): Promise<void> {
  const known = await sql`
    select from party_village where village_id = ${villageId} and party_id = ${partyId}
    union all select from bill where village_id = ${villageId} and party_id = ${partyId} limit 1`.execute(
    read.tx,
  );
  if (!known.rows.length) throw notFound();
}
