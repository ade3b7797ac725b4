import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { openLinesOf } from "../bill/open.queries.ts";
import { planOf } from "../allocation/plan.service.ts";
import { carryOut } from "./carry.service.ts";
import { depositsOf, restFlows } from "./ground.service.ts";

export type Holder = { villageId: number; partyId: number };

/** Parties that have prepaid money and owe something that is issued, after a given one; in (village, party) order. */
export async function prepaidHolders(
  act: Pick<Act, "tx">,
  after: Holder = { villageId: 0, partyId: 0 },
  limit = 200,
): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select p.village_id "villageId", p.party_id "partyId" from party_balance p
    where p.kind = 'prepaid' and p.balance > 0 and (p.village_id, p.party_id) > (${after.villageId}, ${after.partyId})
      and exists (select from bill b where b.party_id = p.party_id and b.village_id = p.village_id
        and b.outstanding > 0 and b.issued_at is not null and b.direction = 'receivable')
    order by 1, 2 limit ${limit}`.execute(act.tx);
  return rows;
}

/**
 * Pays what a party owes (issued bills only, oldest due first) out of its prepaid money, oldest money first. Answers
 * the fen that were used; nothing where the village's setting says no.
 */
export async function usePrepaid(act: Act, holder: Holder): Promise<number> {
  const around = await aroundOf(act, [holder.villageId]);
  if (!around.settings(holder.villageId).autoUsePrepaid) return 0;
  const { rows } = await sql<{ id: number }>`
    select id from bill where party_id = ${holder.partyId} and village_id = ${holder.villageId} and outstanding > 0
      and issued_at is not null and direction = 'receivable'`.execute(act.tx);
  const ids = rows.map((r) => r.id);
  await lockPrepaid(act, holder.villageId, holder.partyId);
  await lockDeposits(act, depositsOf(await readBills(act, ids), around));
  const sources = await restFlows(act, holder, true);
  const bills = (await lockBills(act, ids)).filter((bill) => bill.issuedAt && !bill.voidedAt);
  // a disputed bill waits until people have settled the dispute
  const undisputed = bills.filter((b) => !b.disputedFrom || b.disputedTo);
  const wants = await openLinesOf(act, undisputed, act.today, around);
  const plan = await planOf(
    act,
    undisputed,
    wants.map(({ billId, lineId }) => ({ billId, lineId })),
    sources,
    around,
  );
  await carryOut(act, holder, plan, undisputed, around);
  return plan.paid;
}
