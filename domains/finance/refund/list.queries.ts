import { sql, type RawBuilder, type SqlBool } from "kysely";
import { beginning, containing } from "../../../platform/kernel/like.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import type { RefundFilter, RefundQuery, RefundRow } from "./refund.contract.ts";
import { TABS } from "./refund.rules.ts";

const SORTS = { createdAt: sql`r.created_at`, amount: sql`r.amount`, paidAt: sql`r.paid_at` } as const;

/** Number, customer, room, payee, or the last four digits of the account. */
function keywordMeans(keyword: string): RawBuilder<SqlBool> {
  if (/^TK\d/i.test(keyword)) return sql`r.refund_no like ${beginning(keyword.toUpperCase())}`;
  const part = containing(keyword);
  const tail = /^\d{4}$/.test(keyword) ? sql`or r.payee_tail = ${keyword}` : sql``;
  return sql`(r.party_id in (select id from party where name ilike ${part} or phone = ${keyword})
    or r.room_id in (select id from room where full_name ilike ${part}) or r.payee_name ilike ${part} ${tail})`;
}

/** The rows of a filter; days are the business's. The by-village list uses the same. */
export function refundsWhere(read: Read, q: Partial<RefundFilter>): RawBuilder<unknown> {
  const all: RawBuilder<SqlBool>[] = [sql`r.village_id = ${anyOf(villagesOf(read.who, q.villageIds))}`];
  if (q.source?.length) all.push(sql`r.source = any(${q.source}::text[])`);
  if (q.route?.length) all.push(sql`r.route = any(${q.route}::text[])`);
  if (q.appliedFrom) all.push(sql`r.created_at >= ${q.appliedFrom}::date::timestamptz`);
  if (q.appliedTo) all.push(sql`r.created_at < (${q.appliedTo}::date + 1)::timestamptz`);
  if (q.paidFrom) all.push(sql`r.paid_at >= ${q.paidFrom}::date::timestamptz`);
  if (q.paidTo) all.push(sql`r.paid_at < (${q.paidTo}::date + 1)::timestamptz`);
  if (q.amountFrom !== undefined) all.push(sql`r.amount >= ${q.amountFrom}`);
  if (q.amountTo !== undefined) all.push(sql`r.amount <= ${q.amountTo}`);
  if (q.partyId) all.push(sql`r.party_id = ${q.partyId}`);
  if (q.tab && q.tab !== "all") all.push(sql`r.state = any(${[...TABS[q.tab].states]}::text[])`);
  if (q.keyword) all.push(keywordMeans(q.keyword));
  return sql`from refund r where ${sql.join(all, sql` and `)}`;
}

/** Refunds with the names people know them by; `from` has them as r. */
export const named = (from: RawBuilder<unknown>) => sql<RefundRow>`
  select r.id, r.refund_no "refundNo", r.source, r.source_id "sourceId", coalesce(s.number, c.contract_no) "sourceNo",
    s.id "reservationId", r.contract_id "contractId", c.kind "contractKind", r.village_id "villageId", v.name "villageName",
    r.party_id "partyId", p.kind "partyKind", p.name "partyName", r.room_id "roomId", m.full_name "roomName", r.amount,
    r.paid, r.route, r.payee_name "payeeName", r.payee_bank "payeeBank",
    case when r.payee_tail = '' then '' else '****' || r.payee_tail end "payeeTail", r.reason, r.state,
    coalesce(o.real_name, '系统') applicant, r.created_at "createdAt", r.paid_at "paidAt", r.failure,
    r.filed_at "filedAt", r.state = 'approving' frozen, r.version
  from ${from} join village v on v.id = r.village_id join party p on p.id = r.party_id
  left join room m on m.id = r.room_id left join contract_brief c on c.id = r.contract_id
  left join reservation_brief s on s.bill_id = r.source_id and r.source = 'earnest'
  left join operator o on o.id = r.created_by`;

type Order = Pick<RefundQuery, "sort" | "order" | "tab">;
/** The newest first; what waits to be paid, the oldest. */
const orderOf = ({ sort, order, tab }: Order): RawBuilder<unknown> => {
  const way = sql.raw(order ?? (tab === "toPay" && !sort ? "asc" : "desc"));
  return sql`order by ${SORTS[sort ?? "createdAt"]} ${way} nulls last, r.id ${way}`;
};

export async function refundPage(read: Read, q: RefundQuery): Promise<RefundRow[]> {
  const { rows } = await sql<RefundRow>`
    with page as (select r.id, row_number() over (${orderOf(q)}) place ${refundsWhere(read, q)} ${orderOf(q)} ${pageEnd(q)})
    ${named(sql`page join refund r on r.id = page.id`)} order by page.place`.execute(read.tx);
  return rows;
}

/** Sums over the whole filter, by what has become of them. */
export async function refundTotals(read: Read, q: RefundFilter) {
  const of = (states: readonly string[]) =>
    sql`coalesce(sum(r.amount) filter (where r.state = any(${[...states]}::text[])), 0)::bigint`;
  const { rows } = await sql<
    Record<"amount" | "approving" | "toPay" | "paying" | "failed" | "paid", number> & { total: number }
  >`
    select count(*)::int total, coalesce(sum(r.amount), 0)::bigint amount, ${of(TABS.approving.states)} approving,
      ${of(TABS.toPay.states)} "toPay", ${of(TABS.paying.states)} paying, ${of(TABS.failed.states)} failed,
      ${of(TABS.paid.states)} paid ${refundsWhere(read, q)}`.execute(read.tx);
  return rows[0]!;
}

/** How many stand in each tab. */
export async function refundCounts(
  read: Read,
  q: Omit<RefundFilter, "tab">,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ state: string; n: number }>`
    select r.state, count(*)::int n ${refundsWhere(read, q)} group by 1`.execute(read.tx);
  const of = (states: readonly string[]) =>
    rows.filter((row) => states.includes(row.state)).reduce((sum, row) => sum + row.n, 0);
  return {
    all: rows.reduce((sum, row) => sum + row.n, 0),
    ...Object.fromEntries(Object.entries(TABS).map(([key, { states }]) => [key, of(states)])),
  };
}
