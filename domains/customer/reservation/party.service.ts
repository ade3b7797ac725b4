import { sql } from "kysely";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { choosable } from "../choice/choice.queries.ts";
import { workable } from "../lead/acts.service.ts";
import { linkLead, partyOfLead, renterByPhone } from "../lead/customer.service.ts";
import { seenLead } from "../lead/lead.queries.ts";
import { renterInput } from "../renter/renter-input.contract.ts";
import { createRenter } from "../renter/renter.service.ts";
import type { ReservationInput } from "./reservation.contract.ts";

export type Whose = { id: number; name: string; leadId: number | null };

/**
 * For whom a room is kept: a customer who is chosen, else the one that the lead turned out to be, else whoever has the
 * typed or the lead's phone; somebody unknown is registered on the way, and the lead is linked to them.
 */
export async function partyFor(act: Act, input: ReservationInput, enterpriseId: number): Promise<Whose> {
  const lead = input.leadId ? workable(act, await seenLead(act, input.leadId)) : undefined;
  if (lead && lead.enterpriseId !== enterpriseId) throw notFound();
  const known = input.partyId
    ? await chosen(act, input.partyId, enterpriseId)
    : ((lead && (await partyOfLead(act, lead.id))) ??
      (await byPhone(act, lead?.phone ?? input.phone, enterpriseId)));
  const party = known ?? (await registered(act, input, lead));
  if (lead) await linkLead(act, lead.id, party.id);
  return { ...party, leadId: lead?.id ?? null };
}

async function chosen(act: Act, partyId: number, enterpriseId: number) {
  const party = await choosable(act, partyId);
  if (party?.enterpriseId !== enterpriseId) throw invalid({ field: "partyId", msg: "请选择客户" });
  return { id: party.id, name: party.name };
}

async function byPhone(act: Act, phone: string, enterpriseId: number) {
  const known = await renterByPhone(act, enterpriseId, phone);
  if (!known) return undefined;
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from party where id = ${known.id}`.execute(act.tx);
  return rows[0];
}

async function registered(
  act: Act,
  input: ReservationInput,
  lead: { name: string; phone: string; source: string } | undefined,
) {
  const { name, phone } = lead ?? input;
  const source = lead?.source ?? "walkIn";
  const typed = renterInput.safeParse({ name, phone, source, homeVillageId: input.villageId });
  if (!typed.success)
    throw invalid({
      field: lead ? "partyId" : "name",
      msg: typed.error.issues[0]?.message ?? "客户资料不完整",
    });
  const { id } = await createRenter(act, typed.data, { source });
  return { id, name };
}
