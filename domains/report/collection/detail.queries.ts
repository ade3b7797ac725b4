import { sql } from "kysely";
import type { Read } from "../../../platform/server/act.ts";
import type { CollectionFilter } from "./collection.queries.ts";

type Page = {
  pageNo: number;
  pageSize: number;
  sort?: string | undefined;
  order?: string | undefined;
  want: string;
};
type Row = {
  id: number;
  paidAt: string;
  flowNo: string;
  flowId: number;
  villageName: string;
  partyName: string | null;
  roomName: string | null;
  channel: "wechat" | "alipay" | "unionpay" | "pos" | "cash" | "bankTransfer" | "corporate";
  amount: number;
  fee: number;
  subjects: string;
  unallocated: number;
  operatorName: string;
  businessDay: string | null;
};

/** The flows behind the figures: receipts as they came in, and reversals as negative lines of their day. */
export async function detailRows(read: Read, f: CollectionFilter, page: Page) {
  const matching = sql`
    from journal_line l join journal_entry e on e.id = l.entry_id join flow f on f.id = l.flow_id
    where l.account = '2203' and e.event in ('E06', 'E17', 'E10') and f.kind = 'receipt'
      and l.village_id = any(${f.villages as number[]}::bigint[]) and l.date between ${f.from} and ${f.to}
      and (${!f.channels?.length} or f.channel = any(${f.channels ?? []}::text[]))
      and (${!f.accountIds?.length} or f.merchant_account_id = any(${f.accountIds ?? []}::bigint[]))
      and (${!f.operatorIds?.length} or f.created_by = any(${f.operatorIds ?? []}::bigint[]))`;
  const by = page.sort === "amount" ? sql`l.credit - l.debit` : sql`f.paid_at`;
  const way = page.order === "asc" ? sql`asc` : sql`desc`;
  const rows = async () =>
    page.want === "totals"
      ? []
      : (
          await sql<Row>`
    select e.id, f.paid_at, f.flow_no, f.id flow_id, v.name village_name, p.name party_name, r.full_name room_name,
      f.channel, l.credit - l.debit amount, case when l.credit > 0 then f.fee else 0 end fee,
      coalesce((select string_agg(distinct s.name, '、') from allocation a join bill_line bl on bl.id = a.bill_line_id
        join fee_subject s on s.id = bl.fee_subject_id where a.flow_id = f.id), '') subjects,
      f.unallocated, coalesce(o.real_name, '系统') operator_name,
      case when e.business_date <> e.date then e.business_date end business_day
    from (select l.entry_id, l.date, l.credit, l.debit, l.flow_id ${matching} order by ${by} ${way}, l.entry_id ${way}
      limit ${page.pageSize} offset ${(page.pageNo - 1) * page.pageSize}) l
    join journal_entry e on e.id = l.entry_id join flow f on f.id = l.flow_id
    join village v on v.id = f.village_id left join party p on p.id = f.party_id left join room r on r.id = f.room_id
    left join operator o on o.id = f.created_by
    order by ${by} ${way}, l.entry_id ${way}`.execute(read.replica)
        ).rows;
  const totals = async () =>
    page.want === "rows"
      ? undefined
      : (
          await sql<{ total: number; amount: number; fee: number; unallocated: number }>`
    select count(*) total, coalesce(sum(l.credit - l.debit), 0)::bigint amount,
      coalesce(sum(f.fee) filter (where l.credit > 0), 0)::bigint fee,
      coalesce(sum(f.unallocated) filter (where l.credit > 0), 0)::bigint unallocated ${matching}`.execute(
            read.replica,
          )
        ).rows[0]!;
  const [list, sums] = await Promise.all([rows(), totals()]);
  return { list, total: sums?.total ?? null, sums: sums ?? null };
}
