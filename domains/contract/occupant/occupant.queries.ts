import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { maskCertificate, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Place, Stay } from "./stay.rules.ts";

/** A company's room with what the log says of it. */
export type CompanyPlace = Place & {
  contractNo: string;
  enterpriseId: number;
  villageId: number;
  villageName: string;
};

export type Lived = Stay & {
  name: string;
  phone: string;
  certNo: string;
  certHash: Buffer | null;
  gender: "male" | "female" | null;
  relation: string;
  lockAccess: boolean;
};

/** The records of one company that is dealt with in the operator's villages: the one kept and those merged into it. */
async function recordsOf(read: Read, companyId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select y.id from firm x join firm y on y.id = x.id or y.merged_into_id = x.id
    where x.id = ${companyId} and x.kind = 'company' and x.merged_into_id is null
      and exists (select 1 from party_village w where w.party_id = x.id and w.village_id = ${anyOf(read.who.villages)})`.execute(
    read.tx,
  );
  if (!rows.length) throw notFound();
  return rows.map((r) => r.id);
}

/** Rooms under the company's contracts in force that were not given back, in the operator's villages. */
export const placesOf = async (read: Read, companyId: number): Promise<CompanyPlace[]> =>
  placesWhere(read, sql`c.party_id = ${anyOf(await recordsOf(read, companyId))}`);

/** The room of a tenant's contract that is in force, with the beds that the tenant leaves to others. */
export const homeOf = (read: Read, contractId: number): Promise<CompanyPlace[]> =>
  placesWhere(read, sql`c.id = ${contractId} and c.kind = 'renter'`);

async function placesWhere(read: Read, which: RawBuilder<unknown>): Promise<CompanyPlace[]> {
  const { rows } = await sql<CompanyPlace>`
    select c.id "contractId", c.contract_no "contractNo", c.enterprise_id "enterpriseId", c.village_id "villageId", v.name "villageName",
      r.id "roomId", r.full_name "roomName", r.capacity - (c.kind = 'renter')::int capacity, a.gender, k.join_date "from",
      coalesce(k.leave_date, case when c.state = 'effective' then c.end_date end) "to"
    from contract c join contract_room k on k.contract_id = c.id join room r on r.id = k.room_id
    join apartment a on a.id = r.apartment_id join village v on v.id = c.village_id
    where ${which} and c.village_id = ${anyOf(read.who.villages)} and in_force(c.state)
      and k.role = 'main' and (k.leave_date is null or k.leave_date >= ${read.today}::date)
    order by r.full_name, c.id limit 2000`.execute(read.tx);
  return rows;
}

/** Everybody in these rooms on a day or later. */
export async function staysIn(
  read: Read,
  places: readonly Pick<Place, "contractId" | "roomId">[],
  day: Day,
): Promise<Lived[]> {
  const { rows } = await sql<Lived>`
    select o.id, o.contract_id "contractId", o.room_id "roomId", o.from_date "from", o.to_date "to", o.name, o.phone,
      coalesce(o.cert_no_masked, '') "certNo", o.cert_hash "certHash", o.gender, o.relation, o.lock_access "lockAccess"
    from contract_occupant o
    where o.contract_id = ${anyOf([...new Set(places.map((p) => p.contractId))])}
      and o.room_id = ${anyOf([...new Set(places.map((p) => p.roomId))])}
      and (o.to_date is null or o.to_date >= ${day}::date)
    order by o.from_date, o.id`.execute(read.tx);
  return rows;
}

/** The grid: rooms with whoever lives there now or is to come. */
export async function gridOf(read: Read, companyId: number) {
  const places = await placesOf(read, companyId);
  const people = Map.groupBy(await staysIn(read, places, read.today), (s) => `${s.contractId} ${s.roomId}`);
  return places.map((place) => {
    const lived = people.get(`${place.contractId} ${place.roomId}`) ?? [];
    return {
      ...place,
      living: lived.filter((s) => s.from <= read.today).length,
      people: lived.map(({ from, to, ...s }) => ({
        ...s,
        fromDate: from,
        toDate: to,
        phone: s.phone && maskPhone(s.phone),
        // certificates are masked where they are kept; whatever came in otherwise is masked here
        certNo: s.certNo.includes("*") ? s.certNo : maskCertificate(s.certNo),
      })),
    };
  });
}
