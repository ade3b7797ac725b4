import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/act.ts";
import { blackHitOfParty, type BlackHit } from "../../customer/blacklist/blacklist.service.ts";
import type { PartyFacts } from "../terms/check.rules.ts";

/** A tenant as the contract needs to know them. Numbers are masked; the whole certificate never leaves the server. */
export type RenterFact = PartyFacts & {
  partyId: number;
  phone: string;
  certType: string | null;
  certMasked: string | null;
  /** The worst entry that names them; empty when none does. */
  blackList: BlackHit[];
};

/** The tenant, if the operator may deal with them: one of the enterprise, linked to a village in scope. */
export async function renterFact(read: Read, partyId: number): Promise<RenterFact | undefined> {
  const { rows } = await sql<Omit<RenterFact, "blackList">>`
    select p.id "partyId", p.name, p.phone, r.cert_type "certType", r.cert_no_masked "certMasked", r.gender, r.birthday,
      r.guardian_name "guardianName", r.guardian_phone "guardianPhone"
    from party p join renter r on r.id = p.id
    where p.id = ${partyId} and r.merged_into_id is null and exists (
      select 1 from party_village v where v.party_id = p.id and v.village_id = any(${read.who.villages as number[]}::bigint[]))`.execute(
    read.tx,
  );
  if (!rows[0]) return undefined;
  const hit = await blackHitOfParty(read, partyId);
  return { ...rows[0], blackList: hit ? [hit] : [] };
}

/** What the tenant owes elsewhere, as far as the operator sees. */
export async function arrearsOf(
  read: Read,
  partyId: number,
  except: number | null,
): Promise<{ contractId: number; contractNo: string; overdue: Fen }[]> {
  const { rows } = await sql<{ contractId: number; contractNo: string; overdue: Fen }>`
    select c.id "contractId", c.contract_no "contractNo", sum(b.outstanding)::bigint overdue
    from contract c join bill b on b.contract_id = c.id
    where c.party_id = ${partyId} and c.id is distinct from ${except}::bigint
      and c.village_id = any(${read.who.villages as number[]}::bigint[])
      and b.outstanding > 0 and b.due_date < ${read.today satisfies Day}
    group by c.id order by c.id`.execute(read.tx);
  return rows;
}
