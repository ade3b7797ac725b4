import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { previewBill, settle } from "./bill.service.ts";
import { clawByHand, ownCommission, voidOne } from "./claw.service.ts";
import {
  billCommissions,
  clawCommission,
  exportCommissions,
  getCommission,
  previewCommissionBill,
  voidCommission,
} from "./commission.contract.ts";
import { commissionDetail, commissions } from "./commission.queries.ts";

export default [
  serveList(commissions),
  exportList(exportCommissions),
  serveRead(getCommission, (read, { params }) => commissionDetail(read, params.id)),
  serveRead(previewCommissionBill, (read, { body }) => previewBill(read, body.ids)),
  serve(billCommissions, (act, { body }) => settle(act, body.ids, body.previewHash)),
  serveDone(voidCommission, async (act, { params, body }) =>
    voidOne(act, await ownCommission(act, params.id, body.version), body.reason),
  ),
  serve(clawCommission, (act, { params, body }) => clawByHand(act, params.id, body)),
];
