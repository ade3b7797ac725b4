import { seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { explainBill, getBill } from "./bill.contract.ts";
import { countBills, exportBills, listBills, type BillTab } from "./bills.contract.ts";
import { readBills } from "./bills.queries.ts";
import { billDetailOf, linesShown } from "./detail.queries.ts";
import { explainLine } from "./explain.service.ts";
import { billCounts, billRows, billTotals, readingOf } from "./list.queries.ts";

export default [
  serveRead(listBills, async (read, { query }) => {
    const { tab, overdue, pageNo, pageSize, sort, order, want, also, ...filter } = query;
    const reading = {
      ...(await readingOf(read, filter, villagesOf(read.who, query.villageIds))),
      tab: tab ?? ((overdue === "1" ? "overdue" : "all") satisfies BillTab),
    };
    const [list, totals] = await Promise.all([
      want === "totals" ? [] : billRows(read, reading, { pageNo, pageSize, sort, order, also }),
      want === "rows" ? undefined : billTotals(read, reading),
    ]);
    const { total = null, ...sums } = totals ?? {};
    return { list, total, sums: totals ? (sums as Omit<typeof totals, "total">) : null };
  }),

  exportList(exportBills),

  serveRead(countBills, async (read, { query }) =>
    billCounts(read, await readingOf(read, query, villagesOf(read.who, query.villageIds))),
  ),

  serveRead(getBill, (read, { params }) => billDetailOf(read, params.id)),

  serveRead(explainBill, async (read, { params }) => {
    const [bill] = await readBills(read, [params.id]);
    seen(read.who, bill);
    const lines = await linesShown(read, params.id);
    return {
      at: read.now.toISOString(),
      lines: lines.map((line) => {
        const { rows, amount } = explainLine(line);
        return {
          id: line.id,
          said: rows.map((r): [string, string] => [...r]),
          amount: line.amount,
          again: amount,
          diff: amount === null ? 0 : amount - line.amount,
        };
      }),
    };
  }),
];
