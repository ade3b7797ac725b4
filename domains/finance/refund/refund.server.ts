import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { refundDetailOf } from "./detail.queries.ts";
import { refundCounts, refunds } from "./list.queries.ts";
import {
  countRefunds,
  exportRefunds,
  exportRefundsByVillage,
  getRefund,
  refundsByVillage,
} from "./refund.contract.ts";
import { refundsOfVillages } from "./village.queries.ts";

export default [
  serveList(refunds),
  serveRead(countRefunds, (read, { query }) => refundCounts(read, query)),
  exportList(exportRefunds),
  serveRead(refundsByVillage, (read, { query }) => refundsOfVillages(read, query)),
  exportList(exportRefundsByVillage),
  serveRead(getRefund, (read, { params }) => refundDetailOf(read, params.id)),
];
