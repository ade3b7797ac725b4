import { sql, type RawBuilder } from "kysely";
import { dayNumber } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { frozenBy, type Frozen } from "../../approval/examine/frozen.service.ts";
import { lateFeesOf } from "../latefee/latefee.service.ts";
import { aroundOf } from "./payer.queries.ts";
import { BILL_TABS, type BillFilter, type BillRow, type BillTab, type BillTag } from "./bills.contract.ts";
import { readBills } from "./bills.queries.ts";
import { conditionOf, isPicky } from "./filter.queries.ts";
import { hitsOf, type Hits } from "./keyword.queries.ts";

export type Page = {
  pageNo: number;
  pageSize: number;
  sort?: "dueDate" | "amount" | "outstanding" | "daysOverdue" | undefined;
  order?: "asc" | "desc" | undefined;
  also?: readonly string[] | undefined;
};
export type Reading = {
  filter: BillFilter;
  tab: BillTab;
  villages: readonly number[];
  hits: Hits | undefined;
};

const COLUMN = {
  dueDate: "due_date",
  issueDate: "issue_date",
  amount: "amount",
  outstanding: "outstanding",
} as const;
const OLDEST_FIRST: readonly BillTab[] = ["open", "overdue", "plan"];

/** Column and direction: what is asked for; else by due day, the oldest first where something is still to be done. */
function orderOf({ sort, order }: Page, tab: BillTab): { column: RawBuilder<unknown>; down: boolean } {
  // more days overdue is an earlier due day
  if (sort === "daysOverdue") return { column: sql.ref("due_date"), down: order === "asc" };
  const down = sort ? order === "desc" : !OLDEST_FIRST.includes(tab);
  return { column: sql.ref(COLUMN[sort ?? "dueDate"]), down };
}

/** Rows up to which all that match are fetched and sorted, rather than walked to in order. */
const GATHERED = 20_000;

/** How many bills the planner expects under a filter; a question of two milliseconds. */
async function expectedRows(read: Read, { filter, tab, villages, hits }: Reading): Promise<number> {
  const { rows } = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
    explain (format json) select from bill b where b.village_id = any(${villages as number[]}::bigint[])
      and ${conditionOf(filter, tab, read.today, hits)}`.execute(read.tx);
  return rows[0]!["QUERY PLAN"][0].Plan["Plan Rows"];
}

/**
 * The ids of one page in order. Each village's index is walked only as far as the page needs, then the villages are
 * merged: the work grows with the page, not with the table. Where a filter leaves few rows, far apart, they are
 * fetched by the filter's own index and sorted.
 */
async function pageIds(read: Read, reading: Reading, page: Page): Promise<RawBuilder<unknown>> {
  const { filter, tab, villages, hits } = reading;
  const { column, down } = orderOf(page, tab);
  const way = down ? sql`desc` : sql`asc`;
  const order = sql`order by ${column} ${way}, id ${way}`;
  const condition = conditionOf(filter, tab, read.today, hits);
  const end = pageEnd(page);
  const scope = villages as number[];
  if (isPicky(filter) && (await expectedRows(read, reading)) < GATHERED)
    return sql`
      with hit as materialized (
        select b.id, b.${column} from bill b where b.village_id = any(${scope}::bigint[]) and ${condition})
      select id, ${column} place from hit ${order} ${end}`;
  return sql`
    select t.id, t.${column} place from unnest(${scope}::bigint[]) v(id)
    cross join lateral (
      select b.id, b.${column} from bill b where b.village_id = v.id and ${condition}
      order by b.${column} ${way}, b.id ${way} ${pageEnd({ pageNo: 1, pageSize: page.pageNo * page.pageSize })}) t
    ${order} ${end}`;
}

type Found = Omit<BillRow, "daysOverdue" | "lateFee" | "tags" | "frozen"> & {
  issued: boolean;
  disputed: boolean;
};

/** One page of bills with the names people know them by and, where asked for, the late fee as of today. */
export async function billRows(read: Read, reading: Reading, page: Page): Promise<BillRow[]> {
  const { column, down } = orderOf(page, reading.tab);
  const way = down ? sql`desc` : sql`asc`;
  const { rows } = await sql<Found>`
    with page as materialized (${await pageIds(read, reading, page)})
    select b.id, b.bill_no "billNo", b.village_id "villageId", v.name "villageName", b.room_id "roomId",
      r.full_name "roomName", b.party_id "partyId", p.kind "partyKind", p.name "partyName",
      b.contract_id "contractId", c.contract_no "contractNo", b.title, b.period_start "periodStart",
      b.period_end "periodEnd", b.due_date "dueDate", b.amount, b.adjusted, b.settled, b.written_off "writtenOff",
      b.outstanding, b.status, b.invoiced, b.issue_date "issueDate", b.direction, b.source, b.version,
      b.issued_at is not null issued,
      b.disputed_from is not null and b.disputed_to is null disputed,
      (select string_agg(s.name, '、' order by s.priority) from fee_subject s where s.id = any(b.subject_ids)) subjects
    from page join bill b on b.id = page.id join village v on v.id = b.village_id join party p on p.id = b.party_id
    left join room r on r.id = b.room_id left join contract_brief c on c.id = b.contract_id
    order by b.${column} ${way}, b.id ${way}`.execute(read.tx);
  const frozen = await frozenBy(
    read,
    "bill",
    rows.map((b) => b.id),
  );
  const grows = (b: Found) => b.outstanding > 0 && b.dueDate < read.today && b.issued;
  const late = page.also?.includes("lateFee")
    ? await lateToday(
        read,
        rows.filter(grows).map((b) => b.id),
      )
    : undefined;
  return rows.map((bill) => ({
    ...bill,
    subjects: bill.subjects ?? "",
    daysOverdue: grows(bill) ? daysLate(read, bill.dueDate) : null,
    lateFee: late ? (late.get(bill.id) ?? 0) : null,
    frozen: shownFrozen(read, frozen.get(bill.id)),
    tags: [...(frozen.has(bill.id) ? (["approving"] as const) : []), ...tagsOf(bill)],
  }));
}

const shownFrozen = (read: Read, one: Frozen | undefined): BillRow["frozen"] =>
  one ? { ...one, mine: one.submitterId === read.who.operatorId } : null;

const daysLate = (read: Read, dueDate: string) => dayNumber(read.today) - dayNumber(dueDate);

async function lateToday(read: Read, ids: readonly number[]): Promise<Map<number, number>> {
  const bills = await readBills(read, ids);
  if (!bills.length) return new Map();
  const around = await aroundOf(
    read,
    bills.map((b) => b.villageId),
  );
  const fees = await lateFeesOf(read, bills, read.today, around);
  return new Map([...fees].map(([id, fee]) => [id, Math.max(0, fee.expected)]));
}

export function tagsOf(bill: {
  issued: boolean;
  disputed: boolean;
  status: string;
  writtenOff: number;
  invoiced: number;
  amount: number;
  adjusted: number;
}): BillTag[] {
  const tags: BillTag[] = [];
  if (!bill.issued && bill.status !== "void") tags.push("plan");
  if (bill.disputed) tags.push("disputed");
  if (bill.writtenOff > 0) tags.push("writtenOff");
  if (bill.invoiced > 0) tags.push(bill.invoiced < bill.amount + bill.adjusted ? "partInvoiced" : "invoiced");
  return tags;
}

export type Totals = {
  total: number;
  amount: number;
  adjusted: number;
  settled: number;
  writtenOff: number;
  outstanding: number;
  invoiced: number;
};

/** Count and sums over the whole filter. 全部 is read as the tabs that make it up, each from its own index. */
export async function billTotals(read: Read, { filter, tab, villages, hits }: Reading): Promise<Totals> {
  const parts: BillTab[] = tab === "all" && !isPicky(filter) ? ["open", "plan", "paid", "void"] : [tab];
  const { rows } = await sql<Totals>`
    select coalesce(sum(n), 0)::int total, safe_fen(coalesce(sum(amount), 0)) amount,
      safe_fen(coalesce(sum(adjusted), 0)) adjusted, safe_fen(coalesce(sum(settled), 0)) settled,
      safe_fen(coalesce(sum("writtenOff"), 0)) "writtenOff", safe_fen(coalesce(sum(outstanding), 0)) outstanding,
      safe_fen(coalesce(sum(invoiced), 0)) invoiced
    from (${sql.join(
      parts.map(
        (part) => sql`
      select count(*) n, sum(b.amount) amount, sum(b.adjusted) adjusted, sum(b.settled) settled,
        sum(b.written_off) "writtenOff", sum(b.outstanding) outstanding, sum(b.invoiced) invoiced
      from bill b where b.village_id = any(${villages as number[]}::bigint[])
        and ${conditionOf(filter, part, read.today, hits)}`,
      ),
      sql` union all `,
    )}) parts`.execute(read.tx);
  return rows[0]!;
}

/** How many bills each tab holds under one filter. 全部 is what the other tabs make together. */
export async function billCounts(
  read: Read,
  reading: Omit<Reading, "tab">,
): Promise<Record<BillTab, number>> {
  const { filter, villages, hits } = reading;
  const counted = BILL_TABS.filter((tab) => tab !== "all");
  const counts = await Promise.all(
    counted.map(async (tab) => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int n from bill b
        where b.village_id = any(${villages as number[]}::bigint[])
          and ${conditionOf(filter, tab, read.today, hits)}`.execute(read.tx);
      return [tab, rows[0]!.n] as const;
    }),
  );
  const by = Object.fromEntries(counts) as Record<Exclude<BillTab, "all">, number>;
  return { ...by, all: by.open + by.plan + by.paid + by.void };
}

/** Resolves the keyword once for all the queries of one call. */
export async function readingOf(
  read: Read,
  filter: BillFilter,
  villages: readonly number[],
): Promise<Omit<Reading, "tab">> {
  return { filter, villages, hits: await hitsOf(read, filter.keyword) };
}
