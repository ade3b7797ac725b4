import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { maskPhone } from "../../../platform/kernel/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { blackHitOfParty, type BlackHit } from "../../customer/blacklist/blacklist.service.ts";
import type { VERIFY } from "../../customer/renter/words.rules.ts";
import type { PartyFacts } from "../terms/product.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";

/** A party as the contract needs to know it. Numbers are masked; a whole certificate never leaves the server. */
export type PartyFact = PartyFacts & {
  partyId: number;
  phone: string;
  certType: string | null;
  certMasked: string | null;
  /** Of firms: the credit code, who stands for it by law, whom one talks to, where it is. */
  creditCode: string | null;
  legalName: string;
  contactName: string;
  address: string;
  /** Whether the certificate of a renter was checked; null for firms. */
  verify: keyof typeof VERIFY | null;
  /** The worst entry that names them; empty when none does. */
  blackList: BlackHit[];
};

const FACTS = sql`
  select p.id "partyId", p.kind, p.name, p.phone, coalesce(r.cert_type, f.cert_type) "certType",
    coalesce(r.cert_no_masked, f.cert_no_masked) "certMasked", r.verify, r.gender, r.birthday,
    coalesce(r.guardian_name, '') "guardianName", coalesce(r.guardian_phone, '') "guardianPhone",
    f.credit_code "creditCode", coalesce(m.legal_name, '') "legalName", coalesce(k.name, '') "contactName",
    coalesce(f.address, '') address
  from party p left join renter r on r.id = p.id left join firm f on f.id = p.id left join merchant m on m.id = p.id
  left join party_contact k on k.party_id = p.id and k.main
  where coalesce(r.id, f.id) is not null and coalesce(r.merged_into_id, f.merged_into_id) is null`;
type Row = Omit<PartyFact, "blackList">;

/** The party of a kind, if the operator may deal with it: one of the enterprise, linked to a village in scope. */
export async function partyFact(
  read: Read,
  partyId: number,
  kind: ContractKind,
): Promise<PartyFact | undefined> {
  const { rows } = await sql<Row>`${FACTS} and p.id = ${partyId} and p.kind = ${kind} and exists (
    select 1 from party_village v where v.party_id = p.id and v.village_id = ${anyOf(read.who.villages)})`.execute(
    read.tx,
  );
  if (!rows[0]) return undefined;
  const hit = await blackHitOfParty(read, partyId);
  return { ...rows[0], blackList: hit ? [hit] : [] };
}

/** Why a renter's certificate cannot be relied on, or nothing. */
export function unverifiedText(party: Pick<PartyFact, "name" | "verify" | "certMasked">): string | undefined {
  if (party.verify === null || party.verify === "verified") return undefined;
  if (!party.certMasked) return `${party.name}未登记证件`;
  return `${party.name}的证件${party.verify === "failed" ? "核验未通过" : "未核验"}`;
}

/** Any number of parties at once, for whoever has looked at the scope and the black list. */
export async function partyFacts(
  read: Pick<Read, "tx">,
  ids: readonly number[],
): Promise<Map<number, Row & { kind: ContractKind }>> {
  const { rows } = await sql<Row & { kind: ContractKind }>`${FACTS} and p.id = ${anyOf(ids)}`.execute(
    read.tx,
  );
  return new Map(rows.map((p) => [p.partyId, p]));
}

/** The party as it is printed in the signed paper, whatever is edited afterwards. */
export const snapshotOf = ({
  name,
  phone,
  certType,
  certMasked,
  creditCode,
  legalName,
  contactName,
  address,
}: Omit<PartyFact, "blackList">) => ({
  name,
  phone: maskPhone(phone),
  certType,
  certNo: certMasked,
  ...(contactName && { creditCode, legalName, contactName, address }),
});
export type PartySnapshot = {
  name: string;
  phone: string;
  certType: string | null;
  certNo: string | null;
  creditCode?: string | null;
  legalName?: string;
  contactName?: string;
  address?: string;
};

/** What the party owes elsewhere, as far as the operator sees. */
export async function arrearsOf(
  read: Read,
  partyId: number,
  except: number | null,
): Promise<{ contractId: number; contractNo: string; kind: ContractKind; overdue: Fen }[]> {
  const { rows } = await sql<{ contractId: number; contractNo: string; kind: ContractKind; overdue: Fen }>`
    select c.id "contractId", c.contract_no "contractNo", c.kind, sum(b.outstanding)::bigint overdue
    from contract c join bill b on b.contract_id = c.id
    where c.party_id = ${partyId} and c.id is distinct from ${except}::bigint
      and c.village_id = ${anyOf(read.who.villages)}
      and ${isLateMoney(read.today)}
    group by c.id order by c.id`.execute(read.tx);
  return rows;
}
