import { type RawBuilder, sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Month, type Period, firstOf, lastOf, minDay } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

type Expected = { villageId: number; month: number; subjectId: number; fen: Fen };

/**
 * Months of stores that were not accrued yet, up to today or the month's end. An accrual books all up to its month, so from there
 * on the journal says what was earned.
 */
const awaited = (read: Read, villages: readonly number[], { from, to }: Period): RawBuilder<unknown> => sql`
  select v.id village_id, m::date first, least((m + interval '1 month - 1 day')::date, ${minDay(to, read.today)}::date) last
  from unnest(${villages as number[]}::bigint[]) v (id),
    generate_series(${from}::date, ${minDay(to, read.today)}::date, interval '1 month') m
  where not exists (select from accrual_run r where r.village_id = v.id and r.month >= to_char(m, 'YYYY-MM'))`;

/**
 * What issued bill lines earn, without tax, in months that were not accrued yet, as far as days have passed, by store, month and
 * fee subject: the accrued income that is kept by day, which is what the accrual comes to.
 */
export async function expectedIncome(
  read: Read,
  villages: readonly number[],
  period: Period,
): Promise<Expected[]> {
  if (read.today < period.from) return [];
  const { rows } = await sql<Expected>`
    with awaited as materialized (${awaited(read, villages, period)}),
    earned as (
      select village_id, month_of(day) first, fee_subject_id, sum(fen - tax)::bigint fen from income_day_now
      where village_id = ${anyOf(villages)} and day between ${period.from}::date and ${minDay(period.to, read.today)}::date
      group by 1, 2, 3)
    select village_id "villageId", extract(month from first)::int "month", fee_subject_id "subjectId", fen
    from earned join awaited using (village_id, first)`.execute(read.replica);
  return rows;
}

/**
 * The same of one month, bill by bill. Of a month that was locked when something came or went it counts in the next, so what came
 * or went since the month began may belong to it as well.
 */
export const expectedOf = (read: Read, villageId: number, month: Month): RawBuilder<unknown> => sql`
  select a.last "day", '预计收入确认' what, b.bill_no number,
    p.name || ' ' || s.name about, x.fee_subject_id "subjectId", '6001' account, '' kind, x.net fen, b.id "billId"
  from (${awaited(read, [villageId], { from: firstOf(month), to: lastOf(month) })}) a
    cross join lateral (
      select l.bill_id, d.fee_subject_id, sum(d.fen - d.tax)::bigint net
      from (
        select array_agg(l.id) ids, array_agg(l.id) filter (where b.voided_at is not null) void
        from bill b join bill_line l on l.bill_id = b.id
        where b.village_id = a.village_id and b.direction = 'receivable' and b.issued_at is not null
          and (b.issue_date between a.first and a.last or l.period_start <= a.last and l.period_end >= a.first
            or greatest(b.issued_at, l.created_at, b.voided_at) >= a.first)) c,
        lateral (
          select * from income_days(c.ids, false, false)
          union all
          select * from income_days(c.void, true, false)) d
        join bill_line l on l.id = d.line_id
      where d.day between a.first and a.last group by 1, 2 having sum(d.fen - d.tax) <> 0) x
    join bill b on b.id = x.bill_id join party p on p.id = b.party_id join fee_subject s on s.id = x.fee_subject_id`;
