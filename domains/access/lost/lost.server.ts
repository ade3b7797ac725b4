import { sql } from "kysely";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { listLost, lostAt } from "./lost.contract.ts";
import { askable, countLost, pageAt } from "./lost.queries.ts";
import { KNOWN_PATHS } from "./paths.rules.ts";

type Row = { path: string; times: number; days: number; lastAt: string };
const BY = { times: sql`times`, lastAt: sql`"lastAt"` };

export default [
  serveRead(lostAt, async (read, { body: { path } }) => {
    await countLost(read, path);
    const [page, ask] = await Promise.all([pageAt(read, path), askable(read)]);
    return { page, ask };
  }),

  serveRead(listLost, async ({ tx }, { query }) => {
    const { pageNo, pageSize, from, to, keyword, sort = "lastAt", order } = query;
    const found = sql`select path, sum(times)::int times, count(*)::int days, max(last_at) "lastAt" from lost_page
      where true
      ${from ? sql`and day >= ${from}::date` : sql``}
      ${to ? sql`and day <= ${to}::date` : sql``}
      ${keyword ? sql`and strpos(lower(path), lower(${keyword})) > 0` : sql``}
      group by path`;
    const [{ rows }, total] = await Promise.all([
      sql<Row>`${found} order by ${BY[sort]} ${order === "asc" ? sql`asc` : sql`desc`}, path
        limit ${pageSize} offset ${(pageNo - 1) * pageSize}`.execute(tx),
      sql<{ n: number }>`select count(*)::int n from (${found}) f`.execute(tx),
    ]);
    return {
      list: rows.map((row) => ({ ...row, title: KNOWN_PATHS.get(row.path)?.title ?? "" })),
      total: total.rows[0]!.n,
    };
  }),
];
