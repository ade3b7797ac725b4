import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/act.ts";

export type PartyFacts = {
  phone: string;
  rooms: string;
  contractState: string;
  deposit: number;
  prepaid: number;
};

/** What stands beside a debtor's arrears: only the page's parties, only within the villages asked for. */
export async function partyFacts(
  read: Read,
  partyIds: readonly number[],
  villages: readonly number[],
): Promise<Map<number, PartyFacts>> {
  const within = sql`${villages as number[]}::bigint[]`;
  const { rows } = await sql<PartyFacts & { id: number }>`
    select p.id, p.phone,
      coalesce((select string_agg(distinct c.room_names, '、') from contract c
        where c.party_id = p.id and c.village_id = any(${within}) and c.state in ('effective', 'expired')), '') rooms,
      case when exists (select 1 from contract c where c.party_id = p.id and c.village_id = any(${within})
        and c.state in ('effective', 'expired')) then '在租' else '已退' end contract_state,
      coalesce((select sum(d.held) from deposit_balance d join contract c on c.id = d.contract_id
        where c.party_id = p.id and d.village_id = any(${within})), 0)::bigint deposit,
      coalesce((select sum(b.balance) from party_balance b
        where b.party_id = p.id and b.village_id = any(${within})), 0)::bigint prepaid
    from party p where p.id = any(${partyIds as number[]}::bigint[])`.execute(read.replica);
  return new Map(rows.map(({ id, ...facts }) => [id, { ...facts, phone: maskPhone(facts.phone) }]));
}
