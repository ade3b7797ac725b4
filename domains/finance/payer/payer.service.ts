import { sql } from "kysely";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { linkParty, makeParty } from "../../party/party/party.service.ts";
import { villageOf } from "../setting/setting.service.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

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
  const id = known?.id ?? (await makeParty(act, { enterpriseId, kind: of.kind, name }));
  await linkParty(act, id, of.villageId, "link");
  return id;
}

/** A customer must be linked to the village where it pays, a room must lie in it; any other does not exist there. */
export async function checkPayer(
  read: Pick<Read, "tx">,
  villageId: number,
  partyId: number | undefined,
  roomId?: number | null,
): Promise<void> {
  if (roomId) {
    const room = await aRow(read, "room", ["id"], { id: roomId, villageId });
    if (!room) throw invalid({ field: "roomId", msg: "房间不属于该门店" });
  }
  if (partyId === undefined) return;
  const known = await sql`
    select from party_village where village_id = ${villageId} and party_id = ${partyId}
    union all select from bill where village_id = ${villageId} and party_id = ${partyId} limit 1`.execute(
    read.tx,
  );
  if (!known.rows.length) throw notFound();
}

const KINDS: readonly string[] = ["renter", "company", "merchant"];

/** Writes the business log of a customer; suppliers and passers-by have no page of their own. */
export async function noteParty(
  act: Act,
  of: { villageId: number; partyId: number },
  action: string,
  summary: string,
): Promise<void> {
  const party = await theRow(act, "party", ["kind", "name"], { id: of.partyId });
  if (!KINDS.includes(party.kind)) return;
  await act.note({
    kind: party.kind,
    recordId: of.partyId,
    number: party.name,
    villageId: of.villageId,
    action,
    summary,
  });
}
