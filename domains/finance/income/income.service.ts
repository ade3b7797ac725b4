import { sql, type Kysely } from "kysely";
import type { DB } from "../../../db/types.gen.ts";

/** Lines that are spread in one transaction. */
const BATCH = 10_000;

/**
 * Adds what came to the ledger and left it to the days it is income of; answers how many lines. One at a time, and a
 * line is either still due or in the days, so running it again adds nothing.
 */
async function countSome(tx: Kysely<DB>): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('incomeDays', 0))`.execute(tx);
  const { rows } = await sql<{ n: number }>`
    with due as (delete from income_due where id in (select id from income_due order by id limit ${BATCH})
      returning bill_line_id, gone),
    days as (select x.village_id, x.day, sum(x.fen)::bigint fen
      from (select gone, array_agg(bill_line_id) lines from due group by 1) d,
        lateral income_days(d.lines, d.gone) x group by 1, 2),
    kept as (insert into income_day as i (village_id, day, fen)
      select village_id, day, fen from days order by 1, 2
      on conflict (village_id, day) do update set fen = i.fen + excluded.fen returning 1)
    select (select count(*) from due)::int n, (select count(*) from kept) days`.execute(tx);
  return rows[0]!.n;
}

/** Counts all that is due, step by step; answers how many lines. */
export async function countIncome(db: Kysely<DB>): Promise<number> {
  let counted = 0;
  for (;;) {
    const some = await db.transaction().execute(countSome);
    counted += some;
    if (some < BATCH) return counted;
  }
}
