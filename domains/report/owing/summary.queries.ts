import { sql } from "kysely";
import { addMonths, addToMonth, lastOf, monthOf, type Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { BUCKETS } from "./owing.queries.ts";
import type { Buckets } from "./owing.rules.ts";

/** Ageing of each village at a day, for the stacked bars. */
export async function villageAges(read: Read, villages: readonly number[], day: Day) {
  const { rows } = await sql<Buckets & { villageId: number; name: string }>`
    with w as (select o.*, ${day}::date - o.due_date days from owing_at(${day}, ${villages as number[]}::bigint[]) o)
    select v.id village_id, v.name, coalesce(sum(w.outstanding), 0)::bigint owed, ${BUCKETS}
    from village v left join w on w.village_id = v.id
    where v.id = any(${villages as number[]}::bigint[]) group by v.id order by owed desc, v.id`.execute(
    read.replica,
  );
  return rows;
}

/** Arrears at the last 11 month ends and at the day itself, for the line. */
export async function monthEnds(read: Read, villages: readonly number[], day: Day) {
  const days = Array.from({ length: 11 }, (_, i) => lastOf(addToMonth(monthOf(addMonths(day, 0)), i - 11)));
  const { rows } = await sql<{ day: Day; owed: number }>`
    select d "day", coalesce((select sum(outstanding) from owing_at(d, ${villages as number[]}::bigint[])), 0)::bigint owed
    from unnest(${[...days, day]}::date[]) d order by d`.execute(read.replica);
  return rows;
}
