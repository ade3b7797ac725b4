import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { refundDetailOf } from "./detail.queries.ts";
import { refundCounts, refundPage, refundTotals } from "./list.queries.ts";
import {
  countRefunds,
  exportRefunds,
  exportRefundsByVillage,
  getRefund,
  listRefunds,
  refundsByVillage,
} from "./refund.contract.ts";
import { refundsOfVillages } from "./village.queries.ts";

export default [
  serveRead(listRefunds, async (read, { query }) => {
    const [list, totals] = await Promise.all([
      query.want === "totals" ? [] : refundPage(read, query),
      query.want === "rows" ? undefined : refundTotals(read, query),
    ]);
    const { total = null, ...sums } = totals ?? {};
    return { list, total, sums: totals ? (sums as Omit<typeof totals, "total">) : null };
  }),
  serveRead(countRefunds, (read, { query }) => refundCounts(read, query)),
  exportList(exportRefunds),
  serveRead(refundsByVillage, (read, { query }) => refundsOfVillages(read, query)),
  exportList(exportRefundsByVillage),
  serveRead(getRefund, (read, { params }) => refundDetailOf(read, params.id)),
];
