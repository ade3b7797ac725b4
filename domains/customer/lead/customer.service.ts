import { sql } from "kysely";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { linkParty } from "../../party/party/party.service.ts";
import { choosable } from "../choice/choice.queries.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";

type Link = { renterId: number | null; companyId: number | null; merchantId: number | null };

/** What is known of a lead's customer. */
export type LinkedLead = {
  enterpriseId: number;
  phone: string;
  partyId: number | null;
  partyKind: ChoiceKind | null;
};

/**
 * Whoever of the enterprise is registered under this whole number; when there are several, the one of this name, else the
 * newest. `same`: the name is that.
 */
export async function renterByPhone(read: Read, enterpriseId: number, phone: string, name = "") {
  const row = await read.tx
    .selectFrom("party as p")
    .innerJoin("renter as r", "r.id", "p.id")
    .select(["p.id", "p.name", "p.phone"])
    .where("p.enterpriseId", "=", enterpriseId)
    .where("p.phone", "=", phone)
    .where("r.mergedIntoId", "is", null)
    .where("r.anonymisedAt", "is", null)
    .orderBy(sql`p.name = ${name}`, "desc")
    .orderBy("p.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return (
    row && { id: row.id, name: maskName(row.name), phone: maskPhone(row.phone), same: row.name === name }
  );
}

/** The one column of a lead that names its customer. */
const linkTo = (kind: ChoiceKind | undefined, id: number | null): Link => ({
  renterId: kind === "renter" ? id : null,
  companyId: kind === "company" ? id : null,
  merchantId: kind === "merchant" ? id : null,
});

/** Whom a form says a lead is; the stores of the lead may see them from then on. */
async function customerFor(
  act: Act,
  partyId: number,
  of: { enterpriseId: number; villageIds: readonly number[] },
): Promise<Link> {
  const party = await choosable(act, partyId);
  if (party?.enterpriseId !== of.enterpriseId) throw invalid({ field: "partyId", msg: "请选择客户" });
  for (const villageId of of.villageIds)
    if (act.who.villages.includes(villageId)) await linkParty(act, partyId, villageId, "lead");
  return linkTo(party.kind, party.id);
}

/** Whom the form names, else whoever is registered under the phone, of several the one of this name. */
export async function customerOf(
  act: Act,
  partyId: number | null | undefined,
  of: { enterpriseId: number; phone: string; name: string; villageIds: readonly number[] },
) {
  if (partyId) return customerFor(act, partyId, of);
  return linkTo("renter", (await renterByPhone(act, of.enterpriseId, of.phone, of.name))?.id ?? null);
}

/**
 * What an edit says of the customer: one who is named is linked; where nobody is, a new phone looks for its owner and a
 * firm that the editor sees is let go.
 */
export async function relinked(
  act: Act,
  lead: LinkedLead,
  input: { partyId?: number | null | undefined; phone: string; name: string; villageIds: readonly number[] },
) {
  const of = { ...input, enterpriseId: lead.enterpriseId };
  if (input.partyId) return input.partyId === lead.partyId ? {} : customerFor(act, input.partyId, of);
  const firm = lead.partyKind === "company" || lead.partyKind === "merchant";
  if (input.phone === lead.phone && !firm) return {};
  if (firm && !(await choosable(act, lead.partyId!))) return {};
  return customerOf(act, null, of);
}

/** Whom a lead turned out to be, when the record still stands for itself. */
export async function partyOfLead(
  read: Pick<Read, "tx">,
  leadId: number,
): Promise<{ id: number; name: string } | undefined> {
  const { rows } = await sql<{ id: number; name: string }>`
    select p.id, p.name from lead l join party p on p.id = coalesce(l.renter_id, l.company_id, l.merchant_id)
    left join renter r on r.id = p.id left join firm x on x.id = p.id
    where l.id = ${leadId} and coalesce(r.merged_into_id, x.merged_into_id) is null and r.anonymised_at is null`.execute(
    read.tx,
  );
  return rows[0];
}

/** A lead that nobody is known for yet turns out to be this customer. */
export async function linkLead(act: Act, leadId: number, partyId: number): Promise<void> {
  await sql`
    update lead l set renter_id = case when p.kind = 'renter' then p.id end,
      company_id = case when p.kind = 'company' then p.id end, merchant_id = case when p.kind = 'merchant' then p.id end
    from party p where l.id = ${leadId} and p.id = ${partyId}
      and num_nonnulls(l.renter_id, l.company_id, l.merchant_id) = 0`.execute(act.tx);
}
