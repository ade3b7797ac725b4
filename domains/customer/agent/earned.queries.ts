import { type RawBuilder, sql } from "kysely";

/** Commissions with their bills. */
export const COMMISSIONS = sql`commission c left join bill b on b.id = c.bill_id`;

/** What is still owed and what was paid of some commissions in some villages, in fen; lines taken back count against both. */
export const owedOf = (which: RawBuilder<unknown>, villages: readonly number[]): RawBuilder<unknown> =>
  sql`select coalesce(sum(c.amount) filter (where c.state = 'owed'), 0)::bigint owed,
      coalesce(sum(c.amount) filter (where b.status = 'paid'), 0)::bigint paid
    from ${COMMISSIONS} where ${which} and c.village_id = any(${villages as number[]}::bigint[])`;
