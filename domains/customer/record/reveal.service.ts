import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";

/** Whole personal numbers that one operator may look at in a day, over all kinds of records. */
export const REVEALS_A_DAY = 100;

/** Counts one look. Two at once cannot both be the hundredth: the row decides. */
export async function countReveal(act: Act): Promise<void> {
  const { rows } = await sql`
    insert into reveal_day (operator_id, day, count) values (${act.who.operatorId}, ${act.today}::date, 1)
    on conflict (operator_id, day) do update set count = reveal_day.count + 1 where reveal_day.count < ${REVEALS_A_DAY}
    returning count`.execute(act.tx);
  if (!rows.length) throw new Refusal("tooMany", "今日查看次数已达上限", 429);
}
