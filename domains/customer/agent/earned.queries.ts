import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";

/** Commissions with their bills. */
export const COMMISSIONS = sql`commission c left join bill b on b.id = c.bill_id`;

/** Whether a day lies outside the term for which agency g works with us; an agent on his own has none. */
export const agencyOver = (day: Day) =>
  sql<boolean>`coalesce(not daterange(g.from_day, g.to_day, '[]') @> ${day}::date, false)`;

/** What is still owed and what was paid of some commissions in some villages, in fen; lines taken back count against both. */
export const owedOf = (which: RawBuilder<unknown>, villages: readonly number[]): RawBuilder<unknown> =>
  sql`select coalesce(sum(c.amount) filter (where c.state = 'owed'), 0)::bigint owed,
      coalesce(sum(c.amount) filter (where b.status = 'paid'), 0)::bigint paid
    from ${COMMISSIONS} where ${which} and c.village_id = any(${villages as number[]}::bigint[])`;
