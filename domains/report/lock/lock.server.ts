import { sql } from "kysely";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { monthLocks } from "./lock.contract.ts";

export default [
  /** A village is locked when every month of the range is: then no figure of the range can change any more. */
  serveRead(monthLocks, async (read, { query: { villageIds, from, to } }) => {
    if (to < from || daysBetween(from, to) > 366)
      throw invalid({ field: "to", msg: "日期范围最多 366 天，且结束日期不能早于开始日期" });
    const { rows } = await sql<{ id: number; name: string; locked: boolean }>`
      select v.id, v.name, not exists (
        select from generate_series(date_trunc('month', ${from}::date), ${to}::date, interval '1 month') m
        where not exists (select from period_lock p
          where p.village_id = v.id and p.side = 'income' and p.month = to_char(m, 'YYYY-MM'))) locked
      from village v where v.id = ${anyOf(villagesOf(read.who, villageIds))} order by v.name, v.id`.execute(
      read.replica,
    );
    return { asOf: read.now.toISOString(), villages: rows };
  }),
];
