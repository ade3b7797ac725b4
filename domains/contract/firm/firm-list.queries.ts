import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import {
  contractColumns,
  contractJoin,
  contractPlan,
  contractTotals,
  rowOf,
  type RawRow,
} from "../contract/contract.queries.ts";
import type { RENT_KINDS } from "../terms/terms.contract.ts";
import { listCompanyContracts, listMerchantContracts } from "./firm-list.contract.ts";

const CONTACT = sql`coalesce((select name from party_contact where party_id = c.party_id and main), '') "contactName"`;
const livesNow = ({ today }: Read) =>
  sql`o.from_date <= ${today}::date and (o.to_date is null or o.to_date >= ${today}::date)`;

type CompanyRow = RawRow & {
  contactName: string;
  rooms: number;
  capacity: number;
  occupants: number;
  billing: "true" | "false";
  currentBill: Fen | null;
  currentBillId: number | null;
  currentBillStatus: keyof typeof BILL_STATUS | null;
};

export const companyContracts = listOf(listCompanyContracts, {
  ...contractPlan,
  columns: (read: Read) => sql<CompanyRow>`${contractColumns(read)}, ${CONTACT}, r.rooms, r.capacity,
    (select count(*)::int from contract_occupant o where o.contract_id = c.id and ${livesNow(read)}) occupants,
    coalesce((c.terms->>'billPerRoom')::boolean, false)::text billing,
    b.amount "currentBill", b.id "currentBillId", b.status "currentBillStatus"`,
  join: ({ today }) => sql`${contractJoin}
    cross join lateral (select count(*)::int rooms, coalesce(sum(k.capacity) filter (where k.role = 'main'), 0)::int capacity
      from contract_room k where k.contract_id = c.id and k.leave_date is null) r
    left join lateral (select b.id, b.amount + b.adjusted amount, b.status from bill b
      where b.contract_id = c.id and b.direction = 'receivable' and b.voided_at is null and b.issued_at is not null
        and exists (select 1 from bill_line l join fee_subject s on s.id = l.fee_subject_id
          where l.bill_id = b.id and s.code = 'rent')
      order by b.period_start <= ${today}::date desc, b.period_start desc, b.id limit 1) b on true`,
  totals: contractTotals(
    (read) => sql`, (select count(*)::int from contract_occupant o
      where o.contract_id in (select id from f) and ${livesNow(read)}) occupants`,
  ),
  rows: (rows, read) =>
    rows.map((raw) => ({
      ...rowOf(raw, read),
      occupancy: raw.capacity ? raw.occupants / raw.capacity : null,
    })),
});

type MerchantRow = RawRow & {
  contactName: string;
  shopName: string;
  category: string;
  rentKind: keyof typeof RENT_KINDS;
  area: number;
};

/** Yuan for a square metre and day, as the rent of a month comes to it. */
const unitPriceOf = (rent: Fen | null, area: number): number | null =>
  rent === null || !area ? null : Math.round((rent * 12) / 365 / area) / 100;

export const merchantContracts = listOf(listMerchantContracts, {
  ...contractPlan,
  columns: (read: Read) => sql<MerchantRow>`${contractColumns(read)}, ${CONTACT},
    coalesce(h.brand, '') "shopName", coalesce(h.category, '') category,
    coalesce(c.terms->'turnover'->>'rentKind', 'fixed') "rentKind",
    (select coalesce(sum(k.area), 0)::float8 from contract_room k where k.contract_id = c.id and k.role = 'main') area`,
  join: sql`${contractJoin} left join merchant h on h.id = c.party_id`,
  totals: contractTotals(
    () => sql`, (select coalesce(sum(k.area), 0)::float8 from contract_room k
      where k.contract_id in (select id from f) and k.role = 'main') area`,
  ),
  rows: (rows, read) =>
    rows.map((raw) => ({ ...rowOf(raw, read), unitPrice: unitPriceOf(raw.currentRent, raw.area) })),
});
