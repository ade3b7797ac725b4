import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Tenant } from "./row.rules.ts";

/** One tenant of the file: known already, or to be made once however many rows name them. */
export type Person = { partyId: number } | { key: string };
export type Met = { n: number; enterpriseId: number; tenant: Tenant };
type Known = { id: number; enterpriseId: number; name: string; phone: string; certNoHash: string | null };

const byPhone = (enterpriseId: number, { name, phone }: Pick<Tenant, "name" | "phone">) =>
  `${enterpriseId} ${phone} ${name}`;

/**
 * Who of the file is registered already: the same certificate, else the same phone and name. The same certificate
 * under another name is a mistake that somebody must look at; `wrong` says in which rows.
 */
export async function meet(
  read: Read,
  rows: readonly Met[],
): Promise<{ people: Map<number, Person>; wrong: Map<number, string> }> {
  const hashOf = (certNo: string) => read.cipher.hash(certNo).toString("hex");
  const hashes = [...new Set(rows.flatMap((r) => (r.tenant.certNo ? [hashOf(r.tenant.certNo)] : [])))];
  const known = await sql<Known>`
    select p.id, p.enterprise_id "enterpriseId", p.name, p.phone, encode(r.cert_no_hash, 'hex') "certNoHash"
    from renter r join party p on p.id = r.id
    where r.merged_into_id is null and p.enterprise_id = any(${[...new Set(rows.map((r) => r.enterpriseId))]}::bigint[])
      and (r.cert_no_hash in (select decode(h, 'hex') from unnest(${hashes}::text[]) h) or p.phone = any(${[...new Set(rows.map((r) => r.tenant.phone))]}::text[]))
    order by p.id`.execute(read.tx);
  const certs = new Map<string, Known>();
  const phones = new Map<string, Known[]>();
  for (const one of known.rows) {
    if (one.certNoHash) certs.set(`${one.enterpriseId} ${one.certNoHash}`, one);
    const key = byPhone(one.enterpriseId, one);
    phones.set(key, [...(phones.get(key) ?? []), one]);
  }
  const people = new Map<number, Person>();
  const wrong = new Map<number, string>();
  const names = new Map<string, { name: string; n: number }>();
  const withCert = new Map<string, string>();
  for (const { enterpriseId, tenant } of rows)
    if (tenant.certNo)
      withCert.set(byPhone(enterpriseId, tenant), `${enterpriseId} ${hashOf(tenant.certNo)}`);
  for (const { n, enterpriseId, tenant } of rows) {
    const hash = tenant.certNo && hashOf(tenant.certNo);
    const same = hash ? certs.get(`${enterpriseId} ${hash}`) : undefined;
    if (same && same.name !== tenant.name) {
      wrong.set(n, `该证件号已登记在其他姓名下（${same.name.slice(0, 1)}**），请核对`);
      continue;
    }
    const called = phones.get(byPhone(enterpriseId, tenant)) ?? [];
    // somebody of this name and phone who has another certificate is somebody else
    const found = same ?? called.find((one) => !hash || !one.certNoHash);
    if (found) {
      people.set(n, { partyId: found.id });
      continue;
    }
    // a row without certificate means the person of that name and phone in another row
    const key = hash
      ? `${enterpriseId} ${hash}`
      : (withCert.get(byPhone(enterpriseId, tenant)) ?? byPhone(enterpriseId, tenant));
    const first = names.get(key);
    if (first && first.name !== tenant.name) wrong.set(n, `与第 ${first.n} 行的证件号相同，姓名不同`);
    else names.set(key, first ?? { name: tenant.name, n });
    people.set(n, { key });
  }
  return { people, wrong };
}
