import { sql } from "kysely";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { HeldSource } from "./held.queries.ts";

export type Source = {
  source: HeldSource;
  sourceId: number;
  villageId: number;
  villageName: string;
  label: string;
  held: number;
  available: number;
};

/** Everything that is held of a customer's money in the operator's villages, less what was asked back already. */
export async function sourcesOf(read: Read, partyId: number): Promise<Source[]> {
  const mine = anyOf(read.who.villages);
  const { rows: known } = await sql`
    select from party p where p.id = ${partyId} and (
      exists (select from party_village l where l.party_id = p.id and l.village_id = ${mine})
      or exists (select from bill b where b.party_id = p.id and b.village_id = ${mine}))`.execute(read.tx);
  if (!known.length) throw notFound();
  const { rows } = await sql<Source>`
    select h.source, h."sourceId", h."villageId", v.name "villageName", h.label, h.held,
      greatest(0, h.held - coalesce((select sum(amount) from refund r where r.source = h.source
        and r.source_id = h."sourceId" and r.village_id = h."villageId" and r.state in ('applied', 'approving')), 0))::bigint available
    from (
      select 'prepaid' source, party_id "sourceId", village_id "villageId", '预存款' label, balance held
        from party_balance where party_id = ${partyId} and kind = 'prepaid' and balance > 0
      union all
      select 'deposit', d.contract_id, d.village_id, '押金 ' || c.contract_no, d.held
        from deposit_balance d join contract_brief c on c.id = d.contract_id
        where c.party_id = ${partyId} and d.kind = 'deposit' and d.held > 0
      union all
      select 'earnest', e.bill_id, e.village_id, b.title, e.held
        from earnest_balance e join bill b on b.id = e.bill_id where b.party_id = ${partyId} and e.held > 0) h
    join village v on v.id = h."villageId" where h."villageId" = ${mine}
    order by h.source desc, h."sourceId"`.execute(read.tx);
  return rows;
}
