import { sql } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
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
import { currentBill } from "../contract/detail.queries.ts";
import type { RENT_KINDS, TurnoverRule } from "../terms/terms.contract.ts";
import { ratesText } from "../terms/turnover-share.rules.ts";
import {
  type companyContractRooms,
  listCompanyContracts,
  listMerchantContracts,
} from "./firm-list.contract.ts";

const CONTACT = sql`coalesce((select name from party_contact where party_id = c.party_id and main), '') "contactName"`;
const livesNow = ({ today }: Pick<Read, "today">) =>
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
    cross join lateral (select count(*)::int rooms, coalesce(sum(m.capacity) filter (where k.role = 'main'), 0)::int capacity
      from contract_room k join room m on m.id = k.room_id where k.contract_id = c.id and k.leave_date is null) r
    left join lateral (${currentBill(sql`c.id`, today)}) b on true`,
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

/** The rooms of a contract in scope, those given back too. */
export async function roomsOf({ tx, today }: Read, contractId: number) {
  const { rows } = await sql<z.input<typeof companyContractRooms.reply>[number]>`
    select k.room_id "roomId", k.name, k.monthly_rent "monthlyRent", k.join_date "from",
      coalesce(k.leave_date, c.leave_date, c.end_date) "to", m.capacity, count(o.id)::int living,
      coalesce(string_agg(o.name, '、' order by o.id), '') people
    from contract_room k join contract c on c.id = k.contract_id join room m on m.id = k.room_id
    left join contract_occupant o on o.contract_id = k.contract_id and o.room_id = k.room_id and ${livesNow({ today })}
    where k.contract_id = ${contractId} and k.role = 'main' group by k.contract_id, k.room_id, c.id, m.id
    order by k.seq, k.room_id`.execute(tx);
  return rows;
}

type MerchantRow = RawRow & {
  contactName: string;
  shopName: string;
  category: string;
  openOn: Day | null;
  rentKind: keyof typeof RENT_KINDS;
  rule: TurnoverRule | null;
  area: number;
  agreedPrice: number | null;
  turnover: Fen | null;
  share: Fen | null;
  asked: Fen | null;
};

/**
 * The price for a square metre and day that the shops of a contract by area have in common, as long as the rent is that of the first
 * day: what a step leads to has none.
 */
const AGREED_PRICE = sql`(select min(k.unit_price)::float8 from contract_room k
  where k.contract_id = c.id and k.role = 'main' and c.terms->>'pricing' = 'areaDay' and c.current_rent = c.monthly_rent
  having count(distinct k.unit_price) = 1 and count(k.unit_price) = count(*))`;
/** Yuan for a square metre and day, as the rent of a month comes to it. */
const unitPriceOf = (rent: Fen | null, area: number): number | null =>
  rent === null || !area ? null : Math.round((rent * 12) / 365 / area) / 100;

export const merchantContracts = listOf(listMerchantContracts, {
  ...contractPlan,
  columns: (read: Read) => sql<MerchantRow>`${contractColumns(read)}, ${CONTACT},
    coalesce(h.brand, '') "shopName", coalesce(h.category, '') category, c.terms->>'openOn' "openOn",
    coalesce(c.terms->'turnover'->>'rentKind', 'fixed') "rentKind", c.terms->'turnover' rule, sold.turnover, sold.share, sold.asked,
    (select coalesce(sum(k.area), 0)::float8 from contract_room k where k.contract_id = c.id and k.role = 'main') area,
    ${AGREED_PRICE} "agreedPrice"`,
  join: ({ today }) => sql`${contractJoin} left join merchant h on h.id = c.party_id
    left join lateral (select sum(x.net)::bigint turnover, sum(x.turnover_rent)::bigint share,
        sum(x.top_up + case when c.terms->'turnover'->>'rentKind' = 'turnover' then 0 else x.base_rent end)::bigint asked
      from sales_statement x where x.contract_id = c.id and x.state in ('confirmed', 'billed')
        and x.from_date >= date_trunc('year', ${today}::date)) sold on true`,
  totals: contractTotals(
    () => sql`, (select coalesce(sum(k.area), 0)::float8 from contract_room k
      where k.contract_id in (select id from f) and k.role = 'main') area`,
  ),
  rows: (rows, read) =>
    rows.map(({ rule, asked, agreedPrice, ...raw }) => ({
      ...rowOf(raw, read),
      unitPrice: agreedPrice ?? unitPriceOf(raw.currentRent, raw.area),
      base: raw.rentKind === "turnover" ? null : raw.currentRent,
      rates: rule && raw.rentKind !== "fixed" ? ratesText(rule) : "",
      rentRatio: raw.turnover && asked !== null ? asked / raw.turnover : null,
    })),
});
