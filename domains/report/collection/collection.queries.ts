import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../finance/account/channel.rules.ts";
import type { Collected } from "./collection.rules.ts";

export type CollectionFilter = {
  villages: readonly number[];
  from: Day;
  to: Day;
  channels?: readonly string[] | undefined;
  accountIds?: readonly number[] | undefined;
  operatorIds?: readonly number[] | undefined;
};
export type CollectedDay = Collected & { day: Day; villageId: number };

/** An empty list asks for everything. */
export const oneOf = (column: string, list: readonly (string | number)[] | undefined) =>
  list?.length ? sql`and ${sql.ref(column)} = any(${[...list]})` : sql``;

/** The report's one source: rows by day, village and channel out of the journal. */
export async function collected(read: Read, f: CollectionFilter): Promise<CollectedDay[]> {
  const { rows } = await sql<CollectedDay>`
    select day, village_id, channel, sum(amount)::bigint amount, sum(reversed)::bigint reversed,
      sum(fee)::bigint fee, sum(flows)::bigint flows
    from collected(${f.from}, ${f.to}, ${f.villages as number[]}::bigint[])
    where true ${oneOf("channel", f.channels)} ${oneOf("merchant_account_id", f.accountIds)}
      ${oneOf("operator_id", f.operatorIds)}
    group by 1, 2, 3 order by 1 desc, 2, 3`.execute(read.replica);
  return rows;
}

/** Refunds paid on each day: shown beside the takings, never inside them. */
export async function refunded(read: Read, f: CollectionFilter): Promise<Map<Day, number>> {
  const { rows } = await sql<{ day: Day; fen: number }>`
    select l.date "day", sum(l.debit - l.credit)::bigint fen
    from journal_line l join journal_entry e on e.id = l.entry_id join flow f on f.id = l.flow_id
    where l.account = '2202' and e.event = 'E13' and f.kind = 'refund'
      and l.village_id = ${anyOf(f.villages)} and l.date between ${f.from} and ${f.to}
      ${oneOf("f.channel", f.channels)} ${oneOf("f.merchant_account_id", f.accountIds)}
      ${oneOf("f.created_by", f.operatorIds)}
    group by 1`.execute(read.replica);
  return new Map(rows.map((r) => [r.day, r.fen]));
}

type Named = { id: number; name: string };
type Found = { keyword?: string | undefined; ids?: number[] | undefined };

const wanted = ({ keyword, ids }: Found, id: string, name: string) => sql`
  ${ids?.length ? sql`and ${sql.ref(id)} = ${anyOf(ids)}` : sql``}
  ${keyword ? sql`and ${sql.ref(name)} ilike ${containing(keyword)}` : sql``}`;

/** Accounts that took money for villages in scope, or are set up to take it. */
export async function accounts(read: Read, found: Found): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select m.id, m.name from merchant_account m
    where (m.holder_village_id = ${anyOf(read.who.villages)}
        or exists (select from village_account a where a.merchant_account_id = m.id and a.village_id = ${anyOf(read.who.villages)})
        or exists (select from flow f where f.merchant_account_id = m.id and f.village_id = ${anyOf(read.who.villages)}))
      ${wanted(found, "m.id", "m.name")}
    order by m.name, m.id limit 200`.execute(read.replica);
  return rows;
}

export async function operators(read: Read, found: Found): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select o.id, o.real_name "name" from operator o
    where o.enterprise_id = ${read.who.enterpriseId}
      and exists (select from flow f where f.created_by = o.id and f.village_id = ${anyOf(read.who.villages)})
      ${wanted(found, "o.id", "o.real_name")}
    order by o.real_name, o.id limit 200`.execute(read.replica);
  return rows;
}

type Page = {
  pageNo: number;
  pageSize: number;
  sort?: "paidAt" | "amount" | undefined;
  order?: "asc" | "desc" | undefined;
  want: "both" | "rows" | "totals";
};
type Row = {
  id: number;
  paidAt: string;
  flowNo: string;
  flowId: number;
  villageName: string;
  partyName: string | null;
  roomName: string | null;
  channel: Channel;
  amount: number;
  fee: number;
  subjects: string;
  unallocated: number;
  operatorName: string;
  day: Day;
  businessDay: Day | null;
};
type Sums = { total: number; amount: number; fee: number; unallocated: number };

/**
 * What the report counts, flow by flow and day by day: a receipt with what the channel kept of it on the day it was
 * booked, its reversal as a negative line of its own day. What is not allocated yet stands on the receipt alone.
 */
const entries = (f: CollectionFilter, ofFlows = sql``) => sql`
  select min(t.entry_id) id, t.date, max(t.business_date) business_date, sum(t.amount)::bigint amount,
    sum(t.fee)::bigint fee, f.id flow_id, f.paid_at,
    case when sum(t.amount) > 0 and f.state <> 'reversed' then f.unallocated else 0 end unallocated
  from (
    select l.entry_id, l.flow_id, l.date, e.business_date, l.credit - l.debit amount, 0::bigint fee,
      e.event = 'E10' reversal
    from journal_line l join journal_entry e on e.id = l.entry_id
    where l.account = '2203' and l.village_id = ${anyOf(f.villages)} and l.date between ${f.from} and ${f.to}
      and e.event in ('E06', 'E17', 'E10') ${ofFlows}
    union all
    select l.entry_id, l.flow_id, l.date, e.business_date, 0, l.debit - l.credit, false
    from journal_line l join journal_entry e on e.id = l.entry_id
    where l.account = '6602' and l.village_id = ${anyOf(f.villages)} and l.date between ${f.from} and ${f.to} ${ofFlows}
  ) t join flow f on f.id = t.flow_id
  where f.kind = 'receipt' ${oneOf("f.channel", f.channels)} ${oneOf("f.merchant_account_id", f.accountIds)}
    ${oneOf("f.created_by", f.operatorIds)}
  group by t.date, t.reversal, f.id`;

/**
 * The receipts paid last of all that may be in the report: nothing is booked before it was paid. Each of those that are in it
 * makes a row at least, so a page of rows lies within as many of them.
 */
async function lastPaid(read: Read, f: CollectionFilter, most: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select t.id from unnest(${f.villages as number[]}::bigint[]) village(id) cross join lateral (
      select f.id, f.paid_at from flow f
      where f.village_id = village.id and f.kind = 'receipt' and f.paid_at < (${f.to}::date + 1)::timestamptz
        ${oneOf("f.channel", f.channels)} ${oneOf("f.merchant_account_id", f.accountIds)}
      order by f.paid_at desc, f.id desc limit ${most}) t
    order by t.paid_at desc, t.id desc limit ${most}`.execute(read.replica);
  return rows.map((row) => row.id);
}

export async function detailRows(read: Read, f: CollectionFilter, page: Page) {
  const [list, sums] = await Promise.all([
    page.want === "totals" ? [] : rowsOf(read, f, page),
    page.want === "rows" ? null : sumsOf(read, f),
  ]);
  return { list, total: sums?.total ?? null, sums };
}

/** Whether anything was taken in these days, as the daily sums say. */
async function anyTaken(read: Read, f: CollectionFilter): Promise<boolean> {
  const { rows } = await sql`select from taking_day
    where village_id = ${anyOf(f.villages)} and day between ${f.from}::date and ${f.to}::date limit 1`.execute(
    read.replica,
  );
  return rows.length > 0;
}

/** Pages that lie farther down are looked for among everything. */
const MOST_WALKED = 400;
/** So many times the rows of a page are looked through for it, before everything is. */
const REACH = 2;

async function rowsOf(read: Read, f: CollectionFilter, page: Page): Promise<Row[]> {
  const wanted = page.pageNo * page.pageSize;
  if (page.sort !== "amount" && page.order !== "asc" && wanted <= MOST_WALKED) {
    const flows = await lastPaid(read, f, wanted * REACH);
    const within = sql`and l.flow_id = ${anyOf(flows)}`;
    const rows = await pageOf(read, entries(f, within), page);
    if (rows.length === page.pageSize || flows.length < wanted * REACH) return rows;
    // a day on which nothing came in yet
    if (!rows.length && !(await anyTaken(read, f))) return rows;
  }
  return pageOf(read, entries(f), page);
}

async function pageOf(read: Read, all: RawBuilder<unknown>, page: Page): Promise<Row[]> {
  const way = sql.raw(page.order === "asc" ? "asc" : "desc");
  const order =
    page.sort === "amount"
      ? sql`x.amount ${way}, x.id ${way}`
      : sql`x.paid_at ${way}, x.flow_id ${way}, x.id ${way}`;
  const { rows } = await sql<Row>`
    select x.id, x.paid_at, f.flow_no, f.id flow_id, v.name village_name, p.name party_name, r.full_name room_name,
      f.channel, x.amount, x.fee, x.unallocated, coalesce(o.real_name, '系统') operator_name, x.date "day",
      coalesce((select string_agg(distinct s.name, '、') from allocation_standing a
        join bill_line bl on bl.id = a.bill_line_id join fee_subject s on s.id = bl.fee_subject_id
        where a.flow_id = f.id), '') subjects,
      nullif(x.business_date, x.date) business_day
    from (select * from (${all}) x order by ${order}
      ${pageEnd(page)}) x
    join flow f on f.id = x.flow_id join village v on v.id = f.village_id
    left join party p on p.id = f.party_id left join room r on r.id = f.room_id
    left join operator o on o.id = f.created_by
    order by ${order}`.execute(read.replica);
  return rows;
}

async function sumsOf(read: Read, f: CollectionFilter): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select count(*) total, coalesce(sum(amount), 0)::bigint amount, coalesce(sum(fee), 0)::bigint fee,
      coalesce(sum(unallocated), 0)::bigint unallocated from (${entries(f)}) x`.execute(read.replica);
  return rows[0]!;
}
