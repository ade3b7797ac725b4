import { sql, type RawBuilder } from "kysely";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { BUCKETS, KEYS, owedRows, type OwingFilter } from "./owed.queries.ts";
import type { Buckets } from "./owing.rules.ts";

type Held = { deposit: number | null; prepaid: number | null; net: number | null };
export type OwingRow = Buckets & Held & { key: number; bills: number; maxDays: number; billIds: number[] };
export type OwingSums = Buckets & Held & { bills: number };
type Page = { offset: number; limit: number; sort: "owed" | "maxDays"; order: "asc" | "desc" };

/** What is held of each debtor at the end of the day: the kept balances, less what the ledger booked on them since. */
const heldOf = (f: OwingFilter) => sql`
  , deposits as (
    select c.party_id, sum(x.fen) fen from (
      select d.contract_id, d.held fen from deposit_balance d where d.village_id = ${anyOf(f.villages)}
      union all
      select l.contract_id, l.debit - l.credit from journal_line l
      where l.account = '2241' and l.village_id = ${anyOf(f.villages)} and l.date > ${f.day}::date) x
    join contract c on c.id = x.contract_id where c.party_id in (select key from g) group by 1
  ), prepayments as (
    select x.party_id, sum(x.fen) fen from (
      select b.party_id, b.balance fen from party_balance b
      where b.village_id = ${anyOf(f.villages)} and b.party_id in (select key from g)
      union all
      select l.party_id, l.debit - l.credit from journal_line l
      where l.account = '2203' and l.village_id = ${anyOf(f.villages)} and l.date > ${f.day}::date) x
    group by 1
  ), kept as (
    select g.*, coalesce(d.fen, 0)::bigint deposit, coalesce(p.fen, 0)::bigint prepaid,
      (g.owed - coalesce(p.fen, 0))::bigint net
    from g left join deposits d on d.party_id = g.key left join prepayments p on p.party_id = g.key
    where true ${amounts(f)}
  )`;

const nothingHeld = (f: OwingFilter) => sql`
  , kept as (select g.*, null::bigint deposit, null::bigint prepaid, null::bigint net from g where true ${amounts(f)})`;

const amounts = (f: OwingFilter): RawBuilder<unknown> => sql`
  ${f.amountFrom === undefined ? sql`` : sql`and g.owed >= ${f.amountFrom}`}
  ${f.amountTo === undefined ? sql`` : sql`and g.owed <= ${f.amountTo}`}`;

const SUMS = sql.join(
  ["owed", "d30", "d60", "d90", "d180", "d365", "over"].map(
    (key) => sql`${sql.lit(key)}, coalesce(sum(${sql.ref(key)}), 0)`,
  ),
);

/** Rows of one mode, biggest debt first unless asked otherwise, and the sums of all of them. */
export async function owingRows(
  read: Read,
  f: OwingFilter,
  page: Page,
): Promise<{ rows: OwingRow[]; total: number; sums: OwingSums }> {
  const order = sql`${sql.ref(page.sort === "owed" ? "owed" : "max_days")} ${sql.raw(page.order)}, key`;
  const { rows } = await sql<OwingRow & { total: number; sums: OwingSums }>`
    with ${owedRows(f)}, g as (
      select ${KEYS[f.mode]} key, sum(w.outstanding)::bigint owed, count(distinct w.bill_id) bills,
        max(w.days) max_days, ${BUCKETS} from w group by 1
    ) ${f.mode === "party" ? heldOf(f) : nothingHeld(f)}
    , summed as (
      select count(*) total, json_build_object(${SUMS}, 'bills', (select count(distinct w.bill_id)
        from w where ${KEYS[f.mode]} in (select key from kept)), 'deposit', sum(deposit), 'prepaid', sum(prepaid),
        'net', sum(net)) sums from kept
    ), page as (select * from kept order by ${order} limit ${page.limit} offset ${page.offset})
    select p.*, s.total, s.sums,
      (select array_agg(distinct w.bill_id) from w where ${KEYS[f.mode]} = p.key) bill_ids
    from summed s left join page p on true order by ${order}`.execute(read.replica);
  const first = rows[0]!;
  return { rows: rows.filter((r) => r.key !== null), total: first.total, sums: first.sums };
}
