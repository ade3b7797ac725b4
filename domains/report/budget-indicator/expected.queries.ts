import { type RawBuilder, sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Day, type Period, minDay } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { evenStores } from "../../finance/accrual/accrual.service.ts";

/** A row without a subject says that nothing is expected of a month that is awaited nevertheless. */
type Expected = { villageId: number; month: number; subjectId: number | null; fen: Fen };
type Even = Awaited<ReturnType<typeof evenStores>>;

/**
 * Months of stores that were not accrued yet, up to today or the month's end. An accrual books all up to its month, so from there
 * on the journal says what was earned.
 */
const awaited = (read: Read, villages: readonly number[], { from, to }: Period): RawBuilder<unknown> => sql`
  awaited as materialized (
    select v.id village_id, m::date first, least((m + interval '1 month - 1 day')::date, ${minDay(to, read.today)}::date) last
    from unnest(${villages as number[]}::bigint[]) v (id),
      generate_series(${from}::date, ${minDay(to, read.today)}::date, interval '1 month') m
    where not exists (select from accrual_run r where r.village_id = v.id and r.month >= to_char(m, 'YYYY-MM')))`;

/**
 * What awaited months of some stores earn, bill by bill. Of a month that was locked when something came or went it counts in the
 * next, so what came or went since the month began may belong to it as well. Rent that is recognised evenly is earned contract by
 * contract, whatever is billed.
 */
const earned = (even: Even, until: Day): RawBuilder<unknown> => sql`
  even as materialized (
    select * from json_to_recordset(${JSON.stringify(even)}::json) e ("villageId" bigint, even daterange[])),
  evenly as materialized (
    select c.id from even e join contract_brief c on c.village_id = e."villageId"
    where exists (select from unnest(e.even) d where c.signed_on <@ d)),
  earned as (
    select a.village_id, a.first, a.last, x.bill_id, null::bigint contract_id, x.fee_subject_id, x.net
    from awaited a cross join lateral (
      select l.bill_id, d.fee_subject_id, sum(d.fen - d.tax)::bigint net
      from (
        select array_agg(l.id) ids, array_agg(l.id) filter (where b.voided_at is not null) void
        from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
        where b.village_id = a.village_id and b.direction = 'receivable' and b.issued_at is not null
          and (b.issue_date between a.first and a.last or l.period_start <= a.last and l.period_end >= a.first
            or greatest(b.issued_at, l.created_at, b.voided_at) >= a.first)
          and (s.code <> 'rent' or b.contract_id is null or b.contract_id not in (select id from evenly))) c,
        lateral (
          select * from income_days(c.ids, false, false)
          union all
          select * from income_days(c.void, true, false)) d
        join bill_line l on l.id = d.line_id
      where d.day between a.first and a.last group by 1, 2 having sum(d.fen - d.tax) <> 0) x
    union all
    select a.village_id, a.first, a.last, null, d.contract_id, d.fee_subject_id, d.gross - d.tax
    from even e cross join lateral even_due(e."villageId", ${until}::date, e.even) d
      join awaited a on a.village_id = e."villageId" and a.first = d.month)`;

/**
 * What is earned without tax in months that were not accrued yet, as far as days have passed, by store, month and fee subject: what
 * the accrual comes to. That is the accrued income that is kept by day, and in stores that recognise rent evenly what their bills and
 * contracts come to one by one. Every month that is awaited has a row.
 */
export async function expectedIncome(
  read: Read,
  villages: readonly number[],
  period: Period,
): Promise<Expected[]> {
  if (read.today < period.from) return [];
  const until = minDay(period.to, read.today);
  const even = await evenStores(read, villages);
  const one = new Set(even.map((e) => e.villageId));
  const daily = villages.filter((id) => !one.has(id));
  const [byDay, each] = await Promise.all([
    daily.length
      ? sql<Expected>`
    with ${awaited(read, daily, period)},
    earned as (
      select village_id, month_of(day) first, fee_subject_id, sum(fen - tax)::bigint fen from income_day_now
      where village_id = ${anyOf(daily)} and day between (select min(first) from awaited) and (select max(last) from awaited)
      group by 1, 2, 3)
    select village_id "villageId", extract(month from first)::int "month", fee_subject_id "subjectId", coalesce(fen, 0)::bigint fen
    from awaited left join earned using (village_id, first)`.execute(read.replica)
      : { rows: [] },
    even.length
      ? sql<Expected>`
    with ${awaited(read, [...one], period)}, ${earned(even, until)}
    select a.village_id "villageId", extract(month from a.first)::int "month", e.fee_subject_id "subjectId",
      coalesce(sum(e.net), 0)::bigint fen
    from awaited a left join earned e on e.village_id = a.village_id and e.first = a.first group by 1, 2, 3`.execute(
          read.replica,
        )
      : { rows: [] },
  ]);
  return [...byDay.rows, ...each.rows];
}

/** The same of one store, bill by bill and contract by contract. */
export async function expectedOf(
  read: Read,
  villageId: number,
  period: Period,
): Promise<RawBuilder<unknown>> {
  const even = await evenStores(read, [villageId]);
  return sql`
  (with ${awaited(read, [villageId], period)}, ${earned(even, minDay(period.to, read.today))}
  select e.last "day", '预计收入确认' what, coalesce(b.bill_no, c.contract_no) number,
    coalesce(p.name, c.party_name) || ' ' || s.name about, e.fee_subject_id "subjectId", '6001' account, '' kind, e.net fen, b.id "billId"
  from earned e join fee_subject s on s.id = e.fee_subject_id left join bill b on b.id = e.bill_id
    left join party p on p.id = b.party_id left join contract c on c.id = e.contract_id)`;
}
