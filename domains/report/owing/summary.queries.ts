import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { anyOf } from "../../../platform/server/scope.ts";
import { BUCKETS } from "./owed.queries.ts";
import { monthEndsTo, owedAt, type Buckets, type Movement } from "./owing.rules.ts";

/** Ageing of each village at a day, for the stacked bars. */
export async function villageAges(read: Read, villages: readonly number[], day: Day) {
  const { rows } = await sql<Buckets & { villageId: number; name: string }>`
    with w as (select o.*, ${day}::date - o.due_date days from owing_at(${day}, ${villages as number[]}::bigint[]) o)
    select v.id village_id, v.name, coalesce(sum(w.outstanding), 0)::bigint owed, ${BUCKETS}
    from village v left join w on w.village_id = v.id
    where v.id = ${anyOf(villages)} group by v.id order by owed desc, v.id`.execute(read.replica);
  return rows;
}

/** Arrears at the last 11 month ends and at the day itself: one pass over the year's movements, not twelve. */
export async function monthEnds(read: Read, villages: readonly number[], day: Day) {
  const days = monthEndsTo(day);
  // `from`: how many of the days come up to the due day, so at how many of them the bill is not late yet
  const { rows } = await sql<Movement>`
    with ends as (select ${days}::date[] at)
    select width_bucket(b.due_date, at) "from", null::int before, sum(b.outstanding)::bigint fen
    from bill b, ends
    where b.village_id = ${anyOf(villages)} and b.outstanding > 0 and b.issued_at is not null
      and b.due_date < ${day}::date and b.direction = 'receivable'
    group by 1
    union all
    select width_bucket(b.due_date, at), width_bucket(l.date - 1, at), sum(l.debit - l.credit)::bigint
    from journal_line l join bill b on b.id = l.bill_id, ends
    where l.account = '1122' and l.village_id = ${anyOf(villages)} and l.date > ${days[0]!}::date
      and b.due_date < ${day}::date
    group by 1, 2`.execute(read.replica);
  const owed = owedAt(days.length, rows);
  return days.map((at, i) => ({ day: at, owed: owed[i]! }));
}
