import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { BUCKETS } from "./owed.queries.ts";
import { monthEndsTo, type Buckets } from "./owing.rules.ts";

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
