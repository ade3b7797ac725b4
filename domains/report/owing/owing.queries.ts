import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { pageEnd, plannedAnew } from "../../../platform/server/database/prepared.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { BUCKETS, KEYS, type OwingFilter, cutBySubject, owedRows, when } from "./owed.queries.ts";
import { type Buckets, monthEndsTo } from "./owing.rules.ts";

type Held = { deposit: number | null; prepaid: number | null; net: number | null };
export type OwingRow = Buckets & Held & { key: number; bills: number; maxDays: number; billIds: number[] };
export type OwingSums = Buckets & Held & { bills: number };
type Page = { pageNo: number; pageSize: number; sort: "owed" | "maxDays"; order: "asc" | "desc" };

/** What is held of each debtor at the end of the day: the kept balances, less what the ledger booked on them since. */
const heldOf = (f: OwingFilter, rows: RawBuilder<unknown>) => sql`
  , deposits as (
    select x.party_id, sum(x.fen) fen from (
      select c.party_id, d.held fen from ${rows} a join contract c on c.party_id = a.key
      join deposit_balance d on d.contract_id = c.id where d.village_id = ${anyOf(f.villages)}
      ${when(
        f.later,
        () => sql`union all
          select c.party_id, l.debit - l.credit from journal_line l join contract c on c.id = l.contract_id
          where l.account = '2241' and l.village_id = ${anyOf(f.villages)} and l.date > ${f.day}::date`,
      )}) x
    group by 1
  ), prepayments as (
    select x.party_id, sum(x.fen) fen from (
      select b.party_id, b.balance fen from party_balance b
      where b.village_id = ${anyOf(f.villages)} and b.party_id in (select key from ${rows})
      ${when(
        f.later,
        () => sql`union all
          select l.party_id, l.debit - l.credit from journal_line l
          where l.account = '2203' and l.village_id = ${anyOf(f.villages)} and l.date > ${f.day}::date`,
      )}) x
    group by 1
  ), kept as (
    select g.*, coalesce(d.fen, 0)::bigint deposit, coalesce(p.fen, 0)::bigint prepaid,
      (g.owed - coalesce(p.fen, 0))::bigint net
    from ${rows} g left join deposits d on d.party_id = g.key left join prepayments p on p.party_id = g.key
  )`;

const nothingHeld = (rows: RawBuilder<unknown>) => sql`
  , kept as (select g.*, null::bigint deposit, null::bigint prepaid, null::bigint net from ${rows} g)`;

const amounts = (f: OwingFilter): RawBuilder<unknown> => sql`
  ${f.picked?.length ? sql`and g.key = ${anyOf(f.picked)}` : sql``}
  ${f.amountFrom === undefined ? sql`` : sql`and g.owed >= ${f.amountFrom}`}
  ${f.amountTo === undefined ? sql`` : sql`and g.owed <= ${f.amountTo}`}`;

const SUMS = sql.join(
  ["owed", "d30", "d60", "d90", "d180", "d365", "over"].map(
    (key) => sql`${sql.lit(key)}, coalesce(sum(${sql.ref(key)}), 0)`,
  ),
);

/** How many bills make up a debt, and which: one row each, unless they were cut into fee subjects. */
const bills = (f: OwingFilter) => {
  const each = sql.raw(cutBySubject(f) ? "distinct w.bill_id" : "w.bill_id");
  return sql`count(${each}) bills, array_agg(${each}) bill_ids`;
};

/**
 * `with` clause that ends in `kept`: the debts of one mode, or those of one page of them, with what is held against each.
 * Whatever a row shows is reckoned for the rows asked for; these are chosen by a sum that costs a third less, and holds every
 * whole number of fen that there can be.
 */
const debts = (f: OwingFilter, sort: Page["sort"] = "owed", page = sql``) => sql`
  with ${owedRows(f)}, g as (
    select ${KEYS[f.mode]} key, sum(w.outstanding::float8) owed
      ${when(sort === "maxDays", () => sql`, ${f.day}::date - min(w.due_date) max_days`)} from w group by 1
  ), asked as (select * from g where true ${amounts(f)} ${page}), aged as (
    select ${KEYS[f.mode]} key, sum(w.outstanding)::bigint owed, max(w.days) max_days, ${bills(f)}, ${BUCKETS}
    from w where ${KEYS[f.mode]} in (select key from asked) group by 1)
  ${f.mode === "party" ? heldOf(f, sql`aged`) : nothingHeld(sql`aged`)}`;

/** One page of one mode, biggest debt first unless asked otherwise. What is held is read for these rows alone. */
export async function owingRows(read: Read, f: OwingFilter, page: Page): Promise<OwingRow[]> {
  const order = sql`${sql.ref(page.sort === "owed" ? "owed" : "max_days")} ${sql.raw(page.order)}, key`;
  const { rows } = await sql<OwingRow>`
    ${debts(f, page.sort, sql`order by ${order} ${pageEnd(page)}`)}
    select * from kept order by ${order}`.execute(read.replica);
  return rows;
}

export async function owingTotals(read: Read, f: OwingFilter): Promise<{ total: number; sums: OwingSums }> {
  const { rows } = await sql<{ total: number; sums: OwingSums }>`${plannedAnew}
    ${debts(f)}
    select count(*) total, json_build_object(${SUMS}, 'bills', (select count(distinct w.bill_id)
      from w where ${KEYS[f.mode]} in (select key from kept)), 'deposit', sum(deposit), 'prepaid', sum(prepaid),
      'net', sum(net)) sums from kept`.execute(read.replica);
  return rows[0]!;
}

/** Ageing of each village at a day, for the stacked bars. */
export async function villageAges(read: Read, villages: readonly number[], day: Day) {
  const { rows } = await sql<Buckets & { villageId: number; name: string }>`
    with w as (select o.*, ${day}::date - o.due_date days from owing_at(${day}, ${villages as number[]}::bigint[]) o)
    select v.id village_id, v.name, coalesce(sum(w.outstanding), 0)::bigint owed, ${BUCKETS}
    from village v left join w on w.village_id = v.id
    where v.id = ${anyOf(villages)} group by v.id order by owed desc, v.id`.execute(read.replica);
  return rows;
}

/** Arrears at the last 11 month ends and at the day itself. */
export async function monthEnds(read: Read, villages: readonly number[], day: Day) {
  const days = monthEndsTo(day);
  const { rows } = await sql<{ at: number; fen: number }>`
    select width_bucket(day - 1, ${days}::date[]) at, sum(fen)::bigint fen from arrears_day
    where village_id = ${anyOf(villages)} and day <= ${day}::date group by 1`.execute(read.replica);
  return days.map((at, i) => ({
    day: at,
    owed: rows.reduce((sum, row) => (row.at <= i ? sum + row.fen : sum), 0),
  }));
}
