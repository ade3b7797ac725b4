import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Person } from "./planned.rules.ts";
import { type Tenant, placeKey } from "./row.rules.ts";

export type Place = {
  id: number;
  villageId: number;
  name: string;
  kind: "whole" | "room" | "bed" | "shop" | "parking" | "storage";
  retiredDay: Day | null;
  /** Itself, or the rooms below it: what is really let. */
  leaves: number[];
};
export type Places = (villageId: number, typed: string) => Place | "unknown" | "ambiguous";

/**
 * The rooms of some villages by name: the whole one, the one without the village, or any last parts of it that no
 * other room shares. A whole name counts before a shorter one.
 */
export async function placesOf(read: Read, villageIds: readonly number[]): Promise<Places> {
  const { rows } = await sql<Place>`
    with recursive below as (
      select id top, id, is_leaf from room where village_id = any(${villageIds as number[]}::bigint[])
      union all select b.top, r.id, r.is_leaf from room r join below b on r.parent_room_id = b.id),
    leaves as (select top, array_agg(id order by id) ids from below where is_leaf group by 1)
    select r.id, r.village_id "villageId", r.full_name name, r.kind, coalesce(r.retired_day, a.retired_day) "retiredDay",
      l.ids leaves
    from room r join apartment a on a.id = r.apartment_id join leaves l on l.top = r.id
    where r.village_id = any(${villageIds as number[]}::bigint[])`.execute(read.tx);
  const whole = new Map<string, Place>();
  const short = new Map<string, Place | "ambiguous">();
  // of two rooms of one name the one that still stands is meant
  for (const place of rows.toSorted(
    (a, b) => Number(b.retiredDay !== null) - Number(a.retiredDay !== null),
  )) {
    const parts = place.name.split(/[·-]/);
    for (let i = 0; i < parts.length; i++) {
      const key = `${place.villageId} ${placeKey(parts.slice(i).join(""))}`;
      if (i <= 1) whole.set(key, place);
      const other = short.get(key);
      const same = other === undefined || (other !== "ambiguous" && other.name === place.name);
      short.set(key, same ? place : "ambiguous");
    }
  }
  return (villageId, typed) => {
    const key = `${villageId} ${placeKey(typed)}`;
    return whole.get(key) ?? short.get(key) ?? "unknown";
  };
}

export type Wanted = { n: number; leaves: readonly number[]; from: Day; to: Day };
export type Obstacle = { n: number; room: string; from: Day; to: Day | null; who: string; heldOver: boolean };

/** Who has a room in the wanted days, or stays in it past the end of the lease; at most one for each wanted row. */
export async function obstaclesOf(read: Read, wanted: readonly Wanted[]): Promise<Map<number, Obstacle>> {
  const rows = wanted.flatMap(({ n, leaves, from, to }) => leaves.map((room) => ({ n, room, from, to })));
  const found = await sql<Obstacle>`
    select distinct on (w.n) w.n, r.full_name room, lower(o.period) "from", upper(o.period) - 1 "to",
      coalesce(c.contract_no, b.number, '预订') who, coalesce(c.state = 'expired', false) "heldOver"
    from json_to_recordset(${JSON.stringify(rows)}::json) w(n int, room bigint, "from" date, "to" date)
    join occupancy_row o on o.room_id = w.room join room r on r.id = o.room_id
    left join contract c on c.id = o.contract_id left join room_block b on b.id = o.block_id
    where o.period && daterange(w."from", w."to", '[]') or c.state = 'expired'
    order by w.n, lower(o.period)`.execute(read.tx);
  return new Map(found.rows.map((row) => [row.n, row]));
}

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
