import { sql } from "kysely";
import type { Permit } from "../../../platform/kernel/call.ts";
import { forbidden, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import type { PartyKind } from "./log.service.ts";

/** The page of each kind: its code is what people need for the parts of a record as for the record itself. */
export const PAGE_CODE = { renter: 16, company: 113, merchant: 106 } as const satisfies Record<
  PartyKind,
  number
>;

export type Party = {
  id: number;
  kind: PartyKind;
  enterpriseId: number;
  name: string;
  homeVillageId: number;
};

/**
 * The party that a contact, title, account or paper belongs to, when it lies in scope and was not merged away; refuses
 * whoever may not do this with records of its kind.
 */
export async function partyFor(read: Read, id: number, action: "get" | "edit"): Promise<Party> {
  const { rows } = await sql<Party>`
    select p.id, p.kind, p.enterprise_id "enterpriseId", p.name, coalesce(r.home_village_id, x.home_village_id) "homeVillageId"
    from party p left join renter r on r.id = p.id left join firm x on x.id = p.id
    where p.id = ${id} and p.kind in ('renter', 'company', 'merchant')
      and coalesce(r.merged_into_id, x.merged_into_id) is null and coalesce(r.id, x.id) is not null
      and exists (select 1 from party_village v where v.party_id = p.id
        and v.village_id = any(${read.who.villages as number[]}::bigint[]))`.execute(read.tx);
  const [party] = rows;
  if (!party) throw notFound();
  const permit: Permit = `${PAGE_CODE[party.kind]}.${action}`;
  if (!read.who.permits.has(permit)) throw forbidden();
  return party;
}

/** The same, locked: what is said of a party as a whole, such as its one main contact, is changed by one at a time. */
export async function lockParty(act: Act, id: number): Promise<Party> {
  const party = await partyFor(act, id, "edit");
  await sql`select 1 from party where id = ${id} for no key update`.execute(act.tx);
  return party;
}
