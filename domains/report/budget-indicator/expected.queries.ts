import { type RawBuilder, sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Month, type Period, firstOf, lastOf, minDay } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

type Expected = { villageId: number; month: number; subjectId: number; fen: Fen };

/**
 * What issued bill lines earn, without tax, in months that were not accrued yet, up to today or the month's end: the
 * days that have passed of the spans that the accrual itself goes by. An accrual books all up to its month, so from there on
 * the journal says it.
 */
const expectedLines = (villages: readonly number[], { from, to }: Period): RawBuilder<unknown> => sql`
  with awaited as materialized (
    select v.id village_id, m::date first, least((m + interval '1 month - 1 day')::date, ${to}::date) last
    from unnest(${villages as number[]}::bigint[]) v (id),
      generate_series(${from}::date, ${to}::date, interval '1 month') m
    where not exists (select from accrual_run r where r.village_id = v.id and r.month >= to_char(m, 'YYYY-MM'))
  ), lines as materialized (
    select l.id, l.bill_id, l.fee_subject_id, l.amount, l.tax
    from bill b join bill_line l on l.bill_id = b.id
    where b.village_id = ${anyOf(villages)} and b.direction = 'receivable' and b.issued_at is not null and b.voided_at is null
      and exists (select from awaited a where a.village_id = b.village_id
        and ((l.period_start <= a.last and l.period_end >= a.first) or b.issue_date between a.first and a.last))
  ), pieces as (
    select s.line_id, a.first,
      sum(earned(s.fen, least(a.last - s.first + 1, s.days), s.days) - earned(s.fen, greatest(a.first - s.first, 0), s.days)) gross
    from income_spans(array(select id from lines)) s
      join awaited a on a.village_id = s.village_id and s.first <= a.last and s.first + s.days > a.first
    group by 1, 2
  )
  select b.village_id, p.first, l.fee_subject_id, l.bill_id, p.gross,
    (p.gross - coalesce(round(p.gross * l.tax / nullif(l.amount, 0)), 0))::bigint net
  from pieces p join lines l on l.id = p.line_id join bill b on b.id = l.bill_id`;

const upTo = (read: Read, last: string) => minDay(last, read.today);

/** The same by store, month and fee subject; a span lies in one year. */
export async function expectedIncome(
  read: Read,
  villages: readonly number[],
  { from, to }: Period,
): Promise<Expected[]> {
  if (read.today < from) return [];
  const { rows } = await sql<Expected>`
    select village_id "villageId", extract(month from first)::int "month", fee_subject_id "subjectId", sum(net)::bigint fen
    from (${expectedLines(villages, { from, to: upTo(read, to) })}) x group by 1, 2, 3`.execute(read.replica);
  return rows;
}

/** The lines of it in one month, the largest first. */
export const expectedOf = (read: Read, villageId: number, month: Month): RawBuilder<unknown> => sql`
  select ${upTo(read, lastOf(month))}::date "day", '预计收入确认' what, b.bill_no number,
    p.name || ' ' || s.name about, x.fee_subject_id "subjectId", '6001' account, '' kind, x.net fen, b.id "billId"
  from (${expectedLines([villageId], { from: firstOf(month), to: upTo(read, lastOf(month)) })}) x
    join bill b on b.id = x.bill_id join party p on p.id = b.party_id join fee_subject s on s.id = x.fee_subject_id`;
