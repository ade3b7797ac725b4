import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Channel } from "../../finance/account/channel.rules.ts";
import { oneOf, type CollectionFilter } from "./collection.queries.ts";

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
const entries = (f: CollectionFilter) => sql`
  select min(t.entry_id) id, t.date, max(t.business_date) business_date, sum(t.amount)::bigint amount,
    sum(t.fee)::bigint fee, f.id flow_id, f.paid_at,
    case when sum(t.amount) > 0 and f.state <> 'reversed' then f.unallocated else 0 end unallocated
  from (
    select l.entry_id, l.flow_id, l.date, e.business_date, l.credit - l.debit amount, 0::bigint fee,
      e.event = 'E10' reversal
    from journal_line l join journal_entry e on e.id = l.entry_id
    where l.account = '2203' and l.village_id = ${anyOf(f.villages)} and l.date between ${f.from} and ${f.to}
      and e.event in ('E06', 'E17', 'E10')
    union all
    select l.entry_id, l.flow_id, l.date, e.business_date, 0, l.debit - l.credit, false
    from journal_line l join journal_entry e on e.id = l.entry_id
    where l.account = '6602' and l.village_id = ${anyOf(f.villages)} and l.date between ${f.from} and ${f.to}
  ) t join flow f on f.id = t.flow_id
  where f.kind = 'receipt' ${oneOf("f.channel", f.channels)} ${oneOf("f.merchant_account_id", f.accountIds)}
    ${oneOf("f.created_by", f.operatorIds)}
  group by t.date, t.reversal, f.id`;

export async function detailRows(read: Read, f: CollectionFilter, page: Page) {
  const [list, sums] = await Promise.all([
    page.want === "totals" ? [] : rowsOf(read, f, page),
    page.want === "rows" ? null : sumsOf(read, f),
  ]);
  return { list, total: sums?.total ?? null, sums };
}

async function rowsOf(read: Read, f: CollectionFilter, page: Page): Promise<Row[]> {
  const way = sql.raw(page.order === "asc" ? "asc" : "desc");
  const order = sql`x.${sql.ref(page.sort === "amount" ? "amount" : "paid_at")} ${way}, x.id ${way}`;
  const { rows } = await sql<Row>`
    select x.id, x.paid_at, f.flow_no, f.id flow_id, v.name village_name, p.name party_name, r.full_name room_name,
      f.channel, x.amount, x.fee, x.unallocated, coalesce(o.real_name, '系统') operator_name, x.date "day",
      coalesce((select string_agg(distinct s.name, '、') from allocation a join bill_line bl on bl.id = a.bill_line_id
        join fee_subject s on s.id = bl.fee_subject_id
        where a.flow_id = f.id and a.undoes_id is null
          and not exists (select from allocation u where u.undoes_id = a.id)), '') subjects,
      nullif(x.business_date, x.date) business_day
    from (select * from (${entries(f)}) x order by ${order}
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
