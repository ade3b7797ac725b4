import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { conditionOf, isPicky } from "./filter.queries.ts";
import type { FlowFilter, FlowRow } from "./flow.contract.ts";
import { hitsOf, keywordMeans } from "./keyword.queries.ts";

export type Order = { sort?: "paidAt" | "amount" | undefined; order?: "asc" | "desc" | undefined };
export type FlowPage = Order & { pageNo: number; pageSize: number };
type Reading = { condition: RawBuilder<SqlBool>; villages: readonly number[] };

/** Rows up to which all that match are fetched and sorted, rather than walked to in order. */
const GATHERED = 20_000;

async function expectedRows(read: Read, { condition, villages }: Reading): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select from flow f where f.village_id = any(${villages as number[]}::bigint[])
      and ${condition}`.execute(read.tx);
  return rows[0]!["QUERY PLAN"][0].Plan["Plan Rows"];
}

/** The newest first, unless somebody asks otherwise. */
const orderOf = ({ sort, order }: Order) => ({
  column: sql.ref(sort === "amount" ? "amount" : "paid_at"),
  way: order === "asc" ? sql`asc` : sql`desc`,
});

/**
 * The ids of one page. Each village's index is walked only as far as the page needs, then the villages are merged.
 * Where a filter leaves few rows, far apart, they are fetched by the filter's own index and sorted.
 */
async function pageIds(
  read: Read,
  reading: Reading,
  picky: boolean,
  page: FlowPage,
): Promise<RawBuilder<unknown>> {
  const { column, way } = orderOf(page);
  const { condition } = reading;
  const villages = reading.villages as number[];
  const end = sql`order by ${column} ${way}, id ${way}
    ${pageEnd(page)}`;
  if (picky && (await expectedRows(read, reading)) < GATHERED)
    return sql`
      with hit as materialized (
        select f.id, f.${column} from flow f where f.village_id = any(${villages}::bigint[]) and ${condition})
      select id from hit ${end}`;
  return sql`
    select t.id from unnest(${villages}::bigint[]) v(id)
    cross join lateral (
      select f.id, f.${column} from flow f where f.village_id = v.id and ${condition}
      order by f.${column} ${way}, f.id ${way} limit ${page.pageNo * page.pageSize}) t
    ${end}`;
}

/** Flows with the names people know them by; `from` has them as f. */
const named = (from: RawBuilder<unknown>) => sql`
  select f.id, f.flow_no "flowNo", f.paid_at "paidAt", f.direction, f.kind, f.channel,
    f.merchant_account_id "merchantAccountId", a.name "accountName", f.village_id "villageId",
    v.name "villageName", f.party_id "partyId", p.kind "partyKind", p.name "partyName", f.room_id "roomId",
    r.full_name "roomName", f.payer_name "payerName", f.amount,
    case when f.direction = 'in' then f.amount end "amountIn",
    case when f.direction = 'out' then f.amount end "amountOut", f.fee, f.allocated, f.refunded,
    case when f.state = 'confirmed' and f.direction = 'in' then f.unallocated else 0 end unallocated, f.state,
    f.reconcile_state "reconcileState", f.channel_trade_no "channelTradeNo", f.remark,
    coalesce(o.real_name, '系统') creator, f.created_by "createdBy", f.version
  from ${from} join merchant_account a on a.id = f.merchant_account_id
  join village v on v.id = f.village_id left join party p on p.id = f.party_id
  left join room r on r.id = f.room_id left join operator o on o.id = f.created_by`;

export async function flowRows(
  read: Read,
  filter: FlowFilter,
  villages: readonly number[],
  page: FlowPage,
): Promise<FlowRow[]> {
  const { column, way } = orderOf(page);
  const reading = { condition: conditionOf(filter, await hitsOf(read, filter.keyword)), villages };
  const ids = await pageIds(read, reading, isPicky(filter, page.sort === "amount"), page);
  const { rows } = await sql<FlowRow>`
    with page as materialized (${ids})
    ${named(sql`page join flow f on f.id = page.id`)} order by f.${column} ${way}, f.id ${way}`.execute(
    read.tx,
  );
  return rows;
}

/** One flow as the list shows it. */
export async function flowRow(read: Read, id: number): Promise<FlowRow> {
  const { rows } = await sql<FlowRow>`${named(sql`flow f`)} where f.id = ${id}`.execute(read.tx);
  return rows[0]!;
}

/** The whole list of a filter as one statement, for reading it through a cursor. */
export function everyFlow(
  filter: FlowFilter,
  villages: readonly number[],
  order: Order,
): RawBuilder<FlowRow> {
  const { column, way } = orderOf(order);
  return sql`${named(sql`flow f`)}
    where f.village_id = any(${villages as number[]}::bigint[])
      and ${conditionOf(filter, keywordMeans(filter.keyword))}
    order by f.${column} ${way}, f.id ${way}`;
}
