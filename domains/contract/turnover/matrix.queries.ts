import { sql } from "kysely";
import type { z } from "zod";
import { type Month, addMonths, firstOf, lastOf, monthOf } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { sales } from "./sales-list.queries.ts";
import type { salesMatrix } from "./statement.contract.ts";

type Query = z.output<typeof salesMatrix.query>;
const MONTHS = 12;
/** So many shops stand in the picture. */
const MOST_SHOPS = 200;

type Sold = { month: Month; net: Fen; base: Fen | null; share: Fen | null };
type Cell = { contractId: number; month: Month; net: Fen; rent: Fen | null; confirmed: Fen };
type Shop = { contractId: number; contractNo: string; partyId: number; partyName: string; roomNames: string };

const ratioOf = (rent: Fen | null, net: Fen) => (rent === null || net <= 0 ? null : rent / net);

/** What the shops sold in twelve months, and shop by shop what the rent is of it: of confirmed months alone. */
export async function salesMatrixOf(read: Read, { until, ...filter }: Query) {
  const last = until ?? monthOf(addMonths(firstOf(monthOf(read.today)), -1));
  const months = Array.from({ length: MONTHS }, (_, i) => monthOf(addMonths(firstOf(last), i + 1 - MONTHS)));
  const asked = { ...filter, monthFrom: firstOf(months[0]!), monthTo: lastOf(last) };
  const where = sql`${await sales.condition(read, asked)} and x.state <> 'corrected'`;
  const { rows: sold } = await sql<Sold>`
    select to_char(x.from_date, 'YYYY-MM') "month", sum(x.net)::bigint net, sum(x.base_rent)::bigint base,
      sum(x.turnover_rent)::bigint share
    from sales_statement x where ${where} group by 1`.execute(read.tx);
  const { rows: shops } = await sql<Shop & { total: number }>`
    with s as (select x.contract_id id, sum(x.net) net from sales_statement x where ${where} group by 1)
    select c.id "contractId", c.contract_no "contractNo", c.party_id "partyId", c.party_name "partyName",
      c.room_names "roomNames", (count(*) over ())::int total
    from s join contract c on c.id = s.id order by s.net desc, c.id limit ${MOST_SHOPS}`.execute(read.tx);
  const { rows: cells } = await sql<Cell>`
    select x.contract_id "contractId", to_char(x.from_date, 'YYYY-MM') "month", sum(x.net)::bigint net,
      sum(x.top_up + case when c.terms->'turnover'->>'rentKind' = 'turnover' then 0 else x.base_rent end)::bigint rent,
      coalesce(sum(x.net) filter (where x.top_up is not null), 0)::bigint confirmed
    from sales_statement x join contract c on c.id = x.contract_id
    where ${where} and x.contract_id = any(${shops.map((s) => s.contractId)}::bigint[])
    group by 1, 2 order by 2`.execute(read.tx);
  const byShop = Map.groupBy(cells, (c) => c.contractId);
  return {
    months: months.map(
      (month) => sold.find((s) => s.month === month) ?? { month, net: 0, base: null, share: null },
    ),
    total: shops[0]?.total ?? 0,
    shops: shops.map(({ total: _, ...shop }) => {
      const own = byShop.get(shop.contractId) ?? [];
      const known = own.filter((c) => c.rent !== null);
      const rent = known.length ? known.reduce((sum, c) => sum + c.rent!, 0) : null;
      return {
        ...shop,
        net: own.reduce((sum, c) => sum + c.net, 0),
        rent,
        ratio: ratioOf(
          rent,
          known.reduce((sum, c) => sum + c.confirmed, 0),
        ),
        cells: own.map((c) => ({ month: c.month, net: c.net, ratio: ratioOf(c.rent, c.confirmed) })),
      };
    }),
  };
}
