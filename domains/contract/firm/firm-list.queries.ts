import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import { contractList, type ListQuery } from "../contract/contract.queries.ts";
import type { RENT_KINDS } from "../turnover/rule.contract.ts";
import { contractWhere, tabOf } from "../contract/filter.queries.ts";

type CompanyFacts = {
  id: number;
  contactName: string;
  rooms: number;
  capacity: number;
  occupants: number;
  billing: "true" | "false";
  currentBill: Fen | null;
  currentBillId: number | null;
  currentBillStatus: keyof typeof BILL_STATUS | null;
};

const CONTACT = sql`coalesce((select name from party_contact where party_id = c.party_id and main), '')`;
const livesNow = (read: Read) =>
  sql`o.from_date <= ${read.today}::date and (o.to_date is null or o.to_date >= ${read.today}::date)`;

/** What companies' contracts show beside what all contracts do, by the id of the contract. */
async function companyFacts(read: Read, ids: readonly number[]): Promise<Map<number, CompanyFacts>> {
  const { rows } = await sql<CompanyFacts>`
    select c.id, ${CONTACT} "contactName", r.rooms, r.capacity,
      (select count(*)::int from contract_occupant o where o.contract_id = c.id and ${livesNow(read)}) occupants,
      coalesce((c.terms->>'billPerRoom')::boolean, false)::text billing,
      b.amount "currentBill", b.id "currentBillId", b.status "currentBillStatus"
    from contract c
    cross join lateral (select count(*)::int rooms, coalesce(sum(k.capacity) filter (where k.role = 'main'), 0)::int capacity
      from contract_room k where k.contract_id = c.id and k.leave_date is null) r
    left join lateral (select b.id, b.amount + b.adjusted amount, b.status from bill b
      where b.contract_id = c.id and b.direction = 'receivable' and b.voided_at is null and b.issued_at is not null
        and exists (select 1 from bill_line l join fee_subject s on s.id = l.fee_subject_id
          where l.bill_id = b.id and s.code = 'rent')
      order by b.period_start <= ${read.today}::date desc, b.period_start desc, b.id limit 1) b on true
    where c.id = ${anyOf(ids)}`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function companyContracts(read: Read, query: ListQuery) {
  const { list, total, sums } = await contractList(read, query);
  const facts = await companyFacts(
    read,
    list.map((c) => c.id),
  );
  return {
    total,
    list: list.map((c) => {
      const more = facts.get(c.id)!;
      return { ...c, ...more, occupancy: more.capacity ? more.occupants / more.capacity : null };
    }),
    sums: sums && { ...sums, occupants: await peopleOf(read, query) },
  };
}

/** Who lives in the rooms of all the contracts that a query names. */
async function peopleOf(read: Read, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int n from contract c join contract_occupant o on o.contract_id = c.id
    where ${contractWhere(read, query)} and ${tabOf(query.tab, read.today)} and ${livesNow(read)}`.execute(
    read.tx,
  );
  return rows[0]!.n;
}

type MerchantFacts = {
  id: number;
  contactName: string;
  shopName: string;
  category: string;
  rentKind: keyof typeof RENT_KINDS;
  area: number;
};

async function merchantFacts(read: Read, ids: readonly number[]): Promise<Map<number, MerchantFacts>> {
  const { rows } = await sql<MerchantFacts>`
    select c.id, ${CONTACT} "contactName", coalesce(m.brand, '') "shopName", coalesce(m.category, '') category,
      coalesce(c.terms->'turnover'->>'rentKind', 'fixed') "rentKind",
      (select coalesce(sum(k.area), 0)::float8 from contract_room k where k.contract_id = c.id and k.role = 'main') area
    from contract c left join merchant m on m.id = c.party_id where c.id = ${anyOf(ids)}`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Yuan for a square metre and day, as the rent of a month comes to it. */
const unitPriceOf = (rent: Fen | null, area: number): number | null =>
  rent === null || !area ? null : Math.round((rent * 12) / 365 / area) / 100;

export async function merchantContracts(read: Read, query: ListQuery) {
  const { list, total, sums } = await contractList(read, query);
  const facts = await merchantFacts(
    read,
    list.map((c) => c.id),
  );
  return {
    total,
    list: list.map((c) => {
      const more = facts.get(c.id)!;
      return { ...c, ...more, unitPrice: unitPriceOf(c.currentRent, more.area) };
    }),
    sums: sums && { ...sums, area: await areaOf(read, query) },
  };
}

async function areaOf(read: Read, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ area: number }>`
    select coalesce(sum(k.area), 0)::float8 area from contract c join contract_room k on k.contract_id = c.id
    where ${contractWhere(read, query)} and ${tabOf(query.tab, read.today)} and k.role = 'main'`.execute(
    read.tx,
  );
  return rows[0]!.area;
}
