import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

export type Village = { id: number; name: string; shortName: string };
export type Contract = {
  id: number;
  no: string;
  villageId: number;
  partyId: number;
  partyName: string;
  /** Its one room; null where it has several. */
  roomId: number | null;
};
export type Room = { id: number; villageId: number; name: string; fullName: string };
export type Party = { id: number; villageId: number; name: string };
/** Who lives where by a contract in force, or is about to: it bears no bills before it is signed. */
export type Living = { contractId: number; partyId: number; roomId: number; signed: boolean };
export type Known = { billNo: string; key: string };

export async function villagesNamed(read: Read): Promise<Village[]> {
  const { rows } = await sql<Village>`
    select id, name, short_name "shortName" from village where id = ${anyOf(read.who.villages)}`.execute(
    read.tx,
  );
  return rows;
}

export async function contractsNamed(read: Read, numbers: readonly string[]): Promise<Contract[]> {
  const { rows } = await sql<Contract>`
    select c.id, c.contract_no no, c.village_id "villageId", c.party_id "partyId", c.party_name "partyName",
      (select case when count(*) = 1 then min(cr.room_id) end from contract_room_brief cr where cr.contract_id = c.id) "roomId"
    from contract_brief c where c.contract_no = any(${[...numbers]}::text[]) and c.village_id = ${anyOf(read.who.villages)}
      and (c.in_force or c.is_over) and c.party_id is not null`.execute(read.tx);
  return rows;
}

export async function roomsOf(read: Read, villageIds: readonly number[]): Promise<Room[]> {
  const { rows } = await sql<Room>`
    select id, village_id "villageId", name, full_name "fullName" from room
    where village_id = ${anyOf(villageIds)} and retired_day is null`.execute(read.tx);
  return rows;
}

export async function partiesNamed(
  read: Read,
  villageIds: readonly number[],
  names: readonly string[],
): Promise<Party[]> {
  const { rows } = await sql<Party>`
    select p.id, l.village_id "villageId", p.name from party p join party_village l on l.party_id = p.id
    where p.name = any(${[...names]}::text[]) and l.village_id = ${anyOf(villageIds)}
      and not exists (select from party_merged m where m.id = p.id)`.execute(read.tx);
  return rows;
}

export async function livingIn(read: Read, roomIds: readonly number[]): Promise<Living[]> {
  const { rows } = await sql<Living>`
    select c.id "contractId", c.party_id "partyId", cr.room_id "roomId", c.in_force signed
    from contract_room_brief cr join contract_brief c on c.id = cr.contract_id
    where cr.room_id = any(${[...roomIds]}::bigint[]) and c.in_force_or_signing
      and c.party_id is not null`.execute(read.tx);
  return rows;
}

export const keyOf = (of: {
  partyId: number;
  roomId: number | null;
  subjectId: number;
  from: string;
  to: string;
  amount: number;
}): string => [of.partyId, of.roomId ?? 0, of.subjectId, of.from, of.to, of.amount].join(" ");

/** Bills of some parties that stand, by what would make another one the same. */
export async function standing(read: Read, partyIds: readonly number[]): Promise<Map<string, string>> {
  const { rows } = await sql<Known>`
    select b.bill_no "billNo",
      concat_ws(' ', b.party_id, coalesce(b.room_id, 0), l.fee_subject_id, l.period_start, l.period_end, l.amount) key
    from bill b join bill_line l on l.bill_id = b.id and l.kind = 'normal'
    where b.party_id = any(${[...partyIds]}::bigint[]) and b.voided_at is null`.execute(read.tx);
  return new Map(rows.map((row) => [row.key, row.billNo]));
}
