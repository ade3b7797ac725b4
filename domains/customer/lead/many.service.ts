import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { LeadInput } from "./input.contract.ts";
import { addEvent, noteLead, typed } from "./lead.service.ts";

/** Leads in bulk, of an import: every one of them has been checked. Those without an owner stand in the pool. */
export async function insertLeads(
  act: Act,
  enterpriseId: number,
  leads: readonly { input: LeadInput; ownerId: number | null }[],
  importId: number,
): Promise<void> {
  const now = act.now.toISOString();
  for (let from = 0; from < leads.length; from += 500) {
    const some = leads.slice(from, from + 500);
    const numbers = await act.numbers("KY", some.length);
    const made = await act.tx
      .insertInto("lead")
      .values(
        some.map(({ input, ownerId }, i) => ({
          ...typed(input),
          number: numbers[i]!,
          enterpriseId,
          phone: input.phone,
          villageIds: input.villageIds,
          ownerId,
          ownedAt: ownerId ? now : null,
          poolAt: ownerId ? null : now,
          importId,
          createdAt: now,
          createdBy: act.who.operatorId,
        })),
      )
      .returning(["id", "number", "name", "villageIds"])
      .execute();
    await addEvent(
      act,
      made.map((lead) => lead.id),
      { kind: "system", content: "导入客源" },
    );
    for (const lead of made) await noteLead(act, lead, { action: "新增", summary: `导入客源${lead.name}` });
  }
  // whoever is registered under the same phone is linked, as when a lead is typed in
  await sql`
    update lead l set renter_id = p.id from party p join renter r on r.id = p.id
    where l.import_id = ${importId} and p.enterprise_id = l.enterprise_id and p.phone = l.phone
      and r.merged_into_id is null and r.anonymised_at is null`.execute(act.tx);
}
