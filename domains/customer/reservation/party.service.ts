import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { workable } from "../lead/acts.service.ts";
import { seenLead } from "../lead/lead.queries.ts";
import { renterByPhone } from "../lead/lead.service.ts";
import { renterInput } from "../renter/renter-input.contract.ts";
import { createRenter } from "../renter/renter.service.ts";
import type { ReservationInput } from "./reservation.contract.ts";

export type Whose = { id: number; name: string; leadId: number | null };

/**
 * For whom a room is kept: a renter who is chosen, or whoever has the typed or the lead's phone; somebody unknown is
 * registered on the way, and the lead is linked to them.
 */
export async function partyFor(act: Act, input: ReservationInput, enterpriseId: number): Promise<Whose> {
  const lead = input.leadId ? workable(act, await seenLead(act, input.leadId)) : undefined;
  if (lead && lead.enterpriseId !== enterpriseId) throw notFound();
  if (input.partyId) {
    const party = await act.tx
      .selectFrom("party as p")
      .innerJoin("renter as r", "r.id", "p.id")
      .select(["p.id", "p.name"])
      .where("p.id", "=", input.partyId)
      .where("r.mergedIntoId", "is", null)
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom("partyVillage as w")
            .select("w.partyId")
            .whereRef("w.partyId", "=", "p.id")
            .where("w.villageId", "=", anyOf(act.who.villages)),
        ),
      )
      .executeTakeFirst();
    if (!party) throw invalid({ field: "partyId", msg: "请选择客户" });
    return linked(act, lead?.id ?? null, party);
  }
  const name = lead?.name ?? input.name;
  const phone = lead?.phone ?? input.phone;
  const known = await renterByPhone(act, enterpriseId, phone);
  if (known) {
    const { name: real } = await act.tx
      .selectFrom("party")
      .select("name")
      .where("id", "=", known.id)
      .executeTakeFirstOrThrow();
    return linked(act, lead?.id ?? null, { id: known.id, name: real });
  }
  const source = lead?.source ?? "walkIn";
  const typed = renterInput.safeParse({ name, phone, source, homeVillageId: input.villageId });
  if (!typed.success)
    throw invalid({
      field: lead ? "partyId" : "name",
      msg: typed.error.issues[0]?.message ?? "客户资料不完整",
    });
  const { id } = await createRenter(act, typed.data, { source });
  return linked(act, lead?.id ?? null, { id, name });
}

async function linked(act: Act, leadId: number | null, party: { id: number; name: string }): Promise<Whose> {
  if (leadId)
    await act.tx
      .updateTable("lead")
      .set({ renterId: party.id })
      .where("id", "=", leadId)
      .where("renterId", "is", null)
      .execute();
  return { ...party, leadId };
}
