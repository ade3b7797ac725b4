import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { accountSummary, exportSummary, summaryCards, summaryTrend } from "./summary.contract.ts";
import { cardsOf, summaryOf, trendOf } from "./summary.queries.ts";
import { sumOf } from "./summary.rules.ts";
import { todoCounts } from "./todo.contract.ts";
import { todoOf } from "./todo.queries.ts";

export default [
  exportList(exportSummary),

  serveRead(accountSummary, async (read, { query }) => {
    const to = query.to ?? read.today;
    const from = query.from ?? to;
    if (to < from) throw invalid({ field: "to", msg: "结束日期不能早于开始日期" });
    if (daysBetween(from, to) > 366) throw invalid({ field: "to", msg: "日期范围最多 366 天" });
    const rows = await summaryOf(read, { ...query, from, to });
    const { sort, order } = query;
    if (sort === "closing" || sort === "received") {
      const way = order === "asc" ? 1 : -1;
      rows.sort((a, b) => way * (a[sort] - b[sort]) || a.id - b.id);
    } else if (order === "desc" && sort) rows.reverse();
    const start = (query.pageNo - 1) * query.pageSize;
    return {
      list: query.want === "totals" ? [] : rows.slice(start, start + query.pageSize),
      total: rows.length,
      sums: sumOf(rows),
    };
  }),

  serveRead(summaryCards, (read, { query }) => cardsOf(read, query)),
  serveRead(summaryTrend, (read, { query }) => trendOf(read, query)),
  serveRead(todoCounts, (read) => todoOf(read)),
];
