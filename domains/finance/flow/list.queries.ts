import { sql, type RawBuilder, type SqlBool } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import type { FlowFilter, FlowRow } from "./flow.contract.ts";

const escaped = (text: string) => text.replaceAll(/[\\%_]/g, "\\$&");

/** Everything but the villages, over `flow f`. Days are the business's. */
function conditionOf(filter: FlowFilter): RawBuilder<SqlBool> {
  const all: RawBuilder<SqlBool>[] = [sql`true`];
  const { keyword, paidFrom, paidTo } = filter;
  if (filter.direction) all.push(sql`f.direction = ${filter.direction}`);
  if (filter.channel?.length) all.push(sql`f.channel = any(${filter.channel}::text[])`);
  if (filter.accountIds?.length)
    all.push(sql`f.merchant_account_id = any(${filter.accountIds as number[]}::bigint[])`);
  if (filter.state?.length) all.push(sql`f.state = any(${filter.state}::text[])`);
  if (filter.kind?.length) all.push(sql`f.kind = any(${filter.kind}::text[])`);
  if (filter.reconcile?.length) all.push(sql`f.reconcile_state = any(${filter.reconcile}::text[])`);
  if (filter.partyId) all.push(sql`f.party_id = ${filter.partyId}`);
  // the session's time zone is the business's, so these are its midnights
  if (paidFrom) all.push(sql`f.paid_at >= ${paidFrom}::date::timestamptz`);
  if (paidTo) all.push(sql`f.paid_at < ${addDays(paidTo, 1)}::date::timestamptz`);
  if (filter.amountFrom !== undefined) all.push(sql`f.amount >= ${filter.amountFrom}`);
  if (filter.amountTo !== undefined) all.push(sql`f.amount <= ${filter.amountTo}`);
  if (filter.unallocated === "true") all.push(sql`f.unallocated > 0 and f.state = 'confirmed'`);
  if (keyword) {
    const part = `%${escaped(keyword)}%`;
    all.push(
      /^LS\d/i.test(keyword)
        ? sql`f.flow_no like ${`${escaped(keyword.toUpperCase())}%`}`
        : sql`(f.payer_name ilike ${part} or f.channel_trade_no = ${keyword} or f.out_trade_no = ${keyword}
            or f.remark ilike ${part} or f.party_id in (
              select id from party where name ilike ${part} or phone = ${keyword} or right(phone, 4) = ${keyword})
            or f.room_id in (select id from room where full_name ilike ${part}))`,
    );
  }
  return sql<SqlBool>`${sql.join(all, sql` and `)}`;
}

export type FlowPage = {
  pageNo: number;
  pageSize: number;
  sort?: "paidAt" | "amount" | undefined;
  order?: "asc" | "desc" | undefined;
};

/** One page of flows, the newest first; each village's index is walked only as far as the page needs. */
export async function flowRows(
  read: Read,
  filter: FlowFilter,
  villages: readonly number[],
  page: FlowPage,
): Promise<FlowRow[]> {
  const column = sql.ref(page.sort === "amount" ? "amount" : "paid_at");
  const way = page.order === "asc" ? sql`asc` : sql`desc`;
  const { rows } = await sql<FlowRow>`
    with page as materialized (
      select t.id from unnest(${villages as number[]}::bigint[]) v(id)
      cross join lateral (
        select f.id, f.${column} from flow f where f.village_id = v.id and ${conditionOf(filter)}
        order by f.${column} ${way}, f.id ${way} limit ${page.pageNo * page.pageSize}) t
      order by t.${column} ${way}, t.id ${way}
      limit ${page.pageSize} offset ${(page.pageNo - 1) * page.pageSize})
    select f.id, f.flow_no "flowNo", f.paid_at "paidAt", f.direction, f.kind, f.channel,
      f.merchant_account_id "merchantAccountId", a.name "accountName", f.village_id "villageId",
      v.name "villageName", f.party_id "partyId", p.kind "partyKind", p.name "partyName", f.room_id "roomId",
      r.full_name "roomName", f.payer_name "payerName", f.amount, f.fee, f.allocated, f.refunded,
      case when f.state = 'confirmed' and f.direction = 'in' then f.unallocated else 0 end unallocated, f.state,
      f.reconcile_state "reconcileState", f.channel_trade_no "channelTradeNo", f.remark,
      coalesce(o.real_name, '系统') creator, f.created_by "createdBy", f.version
    from page join flow f on f.id = page.id join merchant_account a on a.id = f.merchant_account_id
    join village v on v.id = f.village_id left join party p on p.id = f.party_id
    left join room r on r.id = f.room_id left join operator o on o.id = f.created_by
    order by f.${column} ${way}, f.id ${way}`.execute(read.tx);
  return rows;
}

export type FlowTotals = {
  total: number;
  amount: number;
  amountIn: number;
  amountOut: number;
  fee: number;
  unallocated: number;
};

/** Count and sums over the whole filter; waiting, rejected and reversed flows are counted but moved no money. */
export async function flowTotals(
  read: Read,
  filter: FlowFilter,
  villages: readonly number[],
): Promise<FlowTotals> {
  const { rows } = await sql<Omit<FlowTotals, "amount">>`
    select count(*)::int total,
      coalesce(sum(f.amount) filter (where f.direction = 'in' and f.state = 'confirmed'), 0)::bigint "amountIn",
      coalesce(sum(f.amount) filter (where f.direction = 'out' and f.state = 'confirmed'), 0)::bigint "amountOut",
      coalesce(sum(f.fee) filter (where f.state in ('confirmed', 'reversed')), 0)::bigint fee,
      coalesce(sum(f.unallocated) filter (where f.direction = 'in' and f.state = 'confirmed'), 0)::bigint unallocated
    from flow f where f.village_id = any(${villages as number[]}::bigint[]) and ${conditionOf(filter)}`.execute(
    read.tx,
  );
  const totals = rows[0]!;
  return { ...totals, amount: totals.amountIn - totals.amountOut };
}
