import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type PriceUnit, monthlyPrice } from "../../listing/room/words.rules.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { type BlackHit, blackHitOfParty, forbiddenOf } from "../../customer/blacklist/blacklist.service.ts";
import type { VERIFY } from "../../customer/renter/words.rules.ts";
import type { PartyFacts, ProductFee } from "../terms/product.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import type { RoomHeld } from "./contract.rules.ts";
import { multiply } from "../../../platform/kernel/decimal.ts";
import type { PayPlan } from "../../listing/product/product.rules.ts";

/** A room as it stands, with its price on a day, counted for a month. Days before the first price take the first. */
export type RoomFact = {
  roomId: number;
  villageId: number;
  name: string;
  kind: "whole" | "room" | "bed" | "shop" | "parking" | "storage";
  layout: string;
  area: string | null;
  capacity: number;
  gender: "any" | "male" | "female";
  retiredDay: Day | null;
  firstDay: Day;
  minTermMonths: number | null;
  listPrice: Fen | null;
  lowestPrice: Fen | null;
};

export async function roomFacts(
  read: Pick<Read, "tx">,
  roomIds: readonly number[],
  /** One day for all, or one for each. */
  on: Day | readonly Day[],
): Promise<RoomFact[]> {
  if (!roomIds.length) return [];
  const days = typeof on === "string" ? roomIds.map(() => on) : on;
  const { rows } = await sql<RoomFact & { unit: PriceUnit | null }>`
    select r.id "roomId", r.village_id "villageId", r.full_name "name", r.kind, r.area::text area, r.capacity,
      case when a.bedrooms > 0 then a.bedrooms || '室' || a.halls || '厅' || a.baths || '卫' else '' end layout,
      a.gender, coalesce(r.retired_day, a.retired_day) "retiredDay", r.first_day "firstDay",
      r.min_term_months "minTermMonths",
      p.list_price "listPrice", p.lowest_price "lowestPrice", p.unit
    from unnest(${roomIds}::bigint[], ${days}::date[]) with ordinality as wanted(id, day, n)
    join room r on r.id = wanted.id join apartment a on a.id = r.apartment_id
    left join lateral (
      select list_price, lowest_price, unit from room_price where room_id = r.id
      order by effective_day <= wanted.day desc, abs(effective_day - wanted.day) limit 1) p on true
    order by wanted.n`.execute(read.tx);
  return rows.map(({ unit, ...room }) => ({
    ...room,
    listPrice: monthlyPrice(room.listPrice, unit, room.area),
    lowestPrice: monthlyPrice(room.lowestPrice, unit, room.area),
  }));
}

export type TakenRow = {
  roomId: number;
  from: Day;
  to: Day | null;
  kind: "lease" | "reservation" | "block";
  label: string;
};

/** Contracts that do not count: one, or one and the one it comes after. */
type Except = number | null | readonly (number | null)[];
const except = (ids: Except) => [ids].flat().filter((id) => id !== null);

/**
 * Who has the rooms (or any part of them) between two days, apart from one contract itself. What a party reserved stands
 * aside for its own contract.
 */
export async function takenBetween(
  read: Pick<Read, "tx">,
  roomIds: readonly number[],
  from: Day,
  to: Day,
  but: Except,
  partyId: number | null = null,
): Promise<TakenRow[]> {
  // while a term is being typed its end may come before its start
  if (!roomIds.length || to < from) return [];
  const { rows } = await sql<TakenRow>`
    with recursive below as (
      select id, id top, is_leaf from room where id = any(${roomIds as number[]}::bigint[])
      union all select r.id, b.top, r.is_leaf from room r join below b on r.parent_room_id = b.id)
    select b.top "roomId", lower(o.period) "from", upper(o.period) - 1 "to", o.kind,
      coalesce(c.contract_no, k.number, v.number) label
    from below b join occupancy_row o on o.room_id = b.id
    left join contract c on c.id = o.contract_id left join room_block k on k.id = o.block_id
    left join reservation v on v.id = o.reservation_id
    where b.is_leaf and o.period && daterange(${from}::date, ${to}::date, '[]')
      and (o.contract_id is null or o.contract_id <> all(${except(but)}::bigint[]))
      and (v.id is null or v.state <> 'held' or v.party_id is distinct from ${partyId}::bigint)
    order by b.top, lower(o.period), o.id`.execute(read.tx);
  return rows;
}

/** Rooms whose last tenant stays past the end without notice: nobody else gets them before it is given, or the lease renewed. */
export async function heldOver(
  read: Pick<Read, "tx">,
  roomIds: readonly number[],
  but: Except,
): Promise<{ room: string; start: Day; end: Day; contractNo: string }[]> {
  const { rows } = await sql<{ room: string; start: Day; end: Day; contractNo: string }>`
    with recursive below as (
      select id, is_leaf from room where id = any(${roomIds as number[]}::bigint[])
      union all select r.id, r.is_leaf from room r join below b on r.parent_room_id = b.id)
    select distinct r.full_name room, h.start_date "start", h.end_date "end", h.contract_no "contractNo"
    from below b join room_held_over h on h.room_id = b.id join room r on r.id = b.id
    where b.is_leaf and h.contract_id <> all(${except(but)}::bigint[])`.execute(read.tx);
  return rows;
}

/** Why keys to the rooms of a contract cannot change hands today. */
export async function handoverHeld(
  read: Pick<Read, "tx" | "today">,
  contractId: number,
): Promise<RoomHeld | null> {
  const { rows } =
    await sql<RoomHeld>`select * from handover_held(${contractId}, ${read.today}::date)`.execute(read.tx);
  return rows[0] ?? null;
}

/** The same of rooms that join the contract today, five at most. */
export async function joiningHeld(
  read: Pick<Read, "tx" | "today">,
  contractId: number,
  roomIds: readonly number[],
): Promise<RoomHeld[]> {
  const { rows } = await sql<RoomHeld>`
    with recursive below as (
      select id, full_name, is_leaf from room where id = any(${roomIds as number[]}::bigint[])
      union all select r.id, r.full_name, r.is_leaf from room r join below b on r.parent_room_id = b.id)
    select h.why, b.full_name room from below b
    cross join lateral (select room_held(b.id, ${contractId}, ${read.today}::date) why) h
    where b.is_leaf and h.why is not null order by b.full_name limit 5`.execute(read.tx);
  return rows;
}

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

/** Who a hit is about, as it is said. */
export type Listed = BlackHit & { whom: string };
/** What the black list says of those that a contract is signed with, the party first: an entry about it, one that forbids who lives there. */
export async function listedIn(
  read: Read,
  of: { id: number; enterpriseId: number; partyId: number | null },
): Promise<Listed[]> {
  const party = of.partyId === null ? undefined : await blackHitOfParty(read, of.partyId);
  const rows = await read.tx
    .selectFrom("contractOccupant")
    .select(["name", "phone", "certHash", "certNoCipher"])
    .where("contractId", "=", of.id)
    .orderBy("id")
    .execute();
  const people = rows.map(({ certHash, certNoCipher, ...person }) => ({
    ...person,
    certNoHash: certHash ?? (certNoCipher && read.cipher.hash(read.cipher.open(certNoCipher))),
  }));
  const [other] = await forbiddenOf(read, of.enterpriseId, people);
  return [
    ...(party ? [{ ...party, whom: "该客户" }] : []),
    ...(other ? [{ ...other, whom: `同住人${other.person.name}` }] : []),
  ];
}
export const forbidText = ({ whom, reason }: Listed): string => `${whom}在黑名单中，禁止签约：${reason}`;

/** Why a renter's certificate cannot be relied on, or nothing. */
export function unverifiedText(party: Pick<PartyFact, "name" | "verify" | "certMasked">): string | undefined {
  if (party.verify === null || party.verify === "verified") return undefined;
  if (!party.certMasked) return `${party.name}未登记证件`;
  return `${party.name}的证件${party.verify === "failed" ? "核验未通过" : "未核验"}`;
}

/** Parties by the records that stand for them: one that was merged by the one that was kept. */
export async function keptParties(
  read: Pick<Read, "tx">,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; kept: number }>`
    select p.id, coalesce(m.into_id, p.id) kept from party p left join party_merged m on m.id = p.id
    where p.id = ${anyOf(ids)}`.execute(read.tx);
  return new Map(rows.map(({ id, kept }) => [id, kept]));
}

/** Any number of parties at once, for whoever has looked at the scope and the black list, by the ids that are asked for. */
export async function partyFacts(
  read: Pick<Read, "tx">,
  ids: readonly number[],
): Promise<Map<number, Row & { kind: ContractKind }>> {
  const kept = await keptParties(read, ids);
  const { rows } = await sql<
    Row & { kind: ContractKind }
  >`${FACTS} and p.id = ${anyOf([...new Set(kept.values())])}`.execute(read.tx);
  const known = new Map(rows.map((p) => [p.partyId, p]));
  return new Map(
    [...kept].flatMap(([id, of]) => {
      const party = known.get(of);
      return party ? [[id, party] as const] : [];
    }),
  );
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
  /** With its tax number, where the contract names one. */
  invoiceTitle?: string;
};

/**
 * To whom invoices of a contract with a firm can be made out: the titles of the record that it stands for, the usual one
 * first, and those of records merged into it that a contract names.
 */
export async function titlesFor(read: Pick<Read, "tx">, partyId: number) {
  const { rows } = await sql<{ id: number; title: string; taxNo: string; isDefault: boolean }>`
    select t.id, t.title, t.tax_no "taxNo", t.is_default "isDefault" from firm f
    join firm x on coalesce(x.merged_into_id, x.id) = coalesce(f.merged_into_id, f.id)
    join invoice_title t on t.party_id = x.id
      and (x.merged_into_id is null or exists (select 1 from contract c where c.invoice_title_id = t.id))
    where f.id = ${partyId} order by x.merged_into_id nulls first, t.is_default desc, t.id`.execute(read.tx);
  return rows;
}

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

/** Fee subjects that a contract may charge beside rent and deposit, in the order of the dictionary. */
export async function feeChoices(read: Pick<Read, "tx">, enterpriseId: number) {
  const rows = await read.tx
    .selectFrom("feeSubject as s")
    .innerJoin("feeChoice as c", "c.id", "s.id")
    .select(["s.id", "s.code", "s.name", "s.kind", "s.taxMode", "s.taxRate"])
    .where("enterpriseId", "=", enterpriseId)
    .where("enabled", "=", true)
    .where("utility", "=", "none")
    .orderBy("priority")
    .orderBy("s.id")
    .execute();
  return rows.map(({ id, kind, taxMode, taxRate, ...fee }) => ({
    ...fee,
    feeId: id,
    deposit: kind === "deposit",
    tax: taxMode === "none" ? "不计税" : taxMode === "reduced15" ? "减按1.5%" : `${multiply(taxRate, 100)}%`,
  }));
}

/** Who may stand as signer or keeper of a contract of the village: operators who work there. */
export async function signers(read: Read, enterpriseId: number, villageId: number) {
  const { rows } = await sql<{ operatorId: number; name: string }>`
    select id "operatorId", real_name name from operator
    where enterprise_id = ${enterpriseId} and state <> 'disabled'
      and (super_type <> '' or all_villages or village_ids @> array[${villageId}]::bigint[])
    order by real_name collate "zh-x-icu", id`.execute(read.tx);
  return rows;
}

type StoredFee = { subjectId: number; way: string; amount: Fen | null; cycle: ProductFee["cycle"] };

/**
 * The products of rooms with their ways of paying, terms and fixed fees; one that is disabled is not for new contracts.
 * Fees by the unit are charged by readings, and those that the dictionary no longer offers are left out.
 */
export async function productsOf(read: Pick<Read, "tx">, roomIds: readonly number[]) {
  const rows = await read.tx
    .selectFrom("room as r")
    .innerJoin("product as d", "d.id", "r.productId")
    .select(["r.id", "d.name", "d.payPlans", "d.enabled", "d.minTermMonths", "d.maxTermMonths", "d.fees"])
    .select("d.enterpriseId")
    .where("r.id", "=", anyOf(roomIds))
    .execute();
  const choices = rows[0] ? await feeChoices(read, rows[0].enterpriseId) : [];
  const known = new Map(choices.map((fee) => [fee.feeId, fee]));
  return new Map(
    rows.map(({ id, name, enabled, ...product }) => [
      id,
      {
        name,
        payPlans: enabled ? (product.payPlans as unknown as PayPlan[]) : [],
        minTermMonths: enabled ? product.minTermMonths : null,
        maxTermMonths: enabled ? product.maxTermMonths : null,
        fees: (enabled ? (product.fees as unknown as StoredFee[]) : []).flatMap((stored): ProductFee[] => {
          const fee = known.get(stored.subjectId);
          if (!fee || stored.way !== "amount" || !stored.amount) return [];
          const { amount, cycle } = stored;
          return [{ feeId: fee.feeId, name: fee.name, deposit: fee.deposit, amount, cycle }];
        }),
      },
    ]),
  );
}
