import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";

export type BlackHit = { level: "forbid" | "warn"; reason: string; source: string };

/** Whether an entry forbids to sign with party p, with its renter r where it is one: firms are known by their number. */
export const blackListed = sql`exists (select from black_list b where b.active and b.level = 'forbid'
  and b.enterprise_id = p.enterprise_id and ((p.phone <> '' and b.phone = p.phone)
    or b.cert_no_hash = coalesce(r.cert_no_hash, (select number_hash from firm where id = p.id))))`;

/** The worst live entry of an enterprise that names this certificate or this phone. */
export async function blackHit(
  read: Read,
  enterpriseId: number,
  of: { certNoHash?: Uint8Array | null; phone?: string },
): Promise<BlackHit | undefined> {
  const { certNoHash, phone } = of;
  if (!certNoHash && !phone) return undefined;
  const rows = await read.tx
    .selectFrom("blackList")
    .select(["level", "reason", "source"])
    .where("active", "=", true)
    .where("enterpriseId", "=", enterpriseId)
    .where((eb) =>
      eb.or([
        ...(certNoHash ? [eb("certNoHash", "=", Buffer.from(certNoHash))] : []),
        ...(phone ? [eb("phone", "=", phone)] : []),
      ]),
    )
    .orderBy("id", "desc")
    .execute();
  return (rows.find((r) => r.level === "forbid") ?? rows[0]) as BlackHit | undefined;
}

/** The same for a party by its record. */
export async function blackHitOfParty(read: Read, partyId: number): Promise<BlackHit | undefined> {
  const party = await read.tx
    .selectFrom("party")
    .leftJoin("renter", "renter.id", "party.id")
    .leftJoin("firm", "firm.id", "party.id")
    .select(["party.enterpriseId", "party.phone"])
    // a firm is known to the list by its credit code or its owner's certificate
    .select((eb) => eb.fn.coalesce("renter.certNoHash", "firm.numberHash").as("certNoHash"))
    .where("party.id", "=", partyId)
    .executeTakeFirst();
  return party && blackHit(read, party.enterpriseId, party);
}

/** Of some people those whom a live entry forbids to sign with; of a company's thousand they are asked for in one statement. */
export async function forbiddenOf<P extends { certNoHash: Uint8Array | null; phone: string }>(
  read: Read,
  enterpriseId: number,
  people: readonly P[],
): Promise<(BlackHit & { person: P })[]> {
  if (!people.length) return [];
  const hashOf = ({ certNoHash }: P) => certNoHash && Buffer.from(certNoHash).toString("hex");
  const hashes = people.map(hashOf).filter((hash) => hash !== null);
  const phones = people.map((person) => person.phone).filter(Boolean);
  const rows = await read.tx
    .selectFrom("blackList")
    .select(["level", "reason", "source", "phone"])
    .select(sql<string | null>`encode(cert_no_hash, 'hex')`.as("hash"))
    .where("active", "=", true)
    .where("level", "=", "forbid")
    .where("enterpriseId", "=", enterpriseId)
    .where(
      sql<boolean>`(cert_no_hash in (select decode(h, 'hex') from unnest(${hashes}::text[]) h) or phone = any(${phones}::text[]))`,
    )
    .orderBy("id", "desc")
    .execute();
  return people.flatMap((person): (BlackHit & { person: P })[] => {
    const hash = hashOf(person);
    const row = rows.find((r) => (hash && r.hash === hash) || (person.phone && r.phone === person.phone));
    return row ? [{ level: "forbid", reason: row.reason, source: row.source, person }] : [];
  });
}

/** For the transaction that reserves or signs: level 禁止签约 refuses, 提示 is handed back for its note. */
export async function refuseBlacklisted(read: Read, partyId: number): Promise<BlackHit | undefined> {
  const hit = await blackHitOfParty(read, partyId);
  if (hit?.level === "forbid")
    throw new Refusal("blackListed", "该客户在黑名单中，禁止签约", 409, { data: hit });
  return hit;
}
