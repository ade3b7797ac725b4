import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { serveAct } from "../act/act.service.ts";
import { countSettlements, exportSettlements, getSettlement, settlementActs } from "./settlement.contract.ts";
import { settlementDetail, settlements } from "./settlement.queries.ts";
import { SETTLE } from "./settlement.service.ts";

export default [
  serveList(settlements),
  exportList(exportSettlements),
  serveRead(countSettlements, (read, { query }) => settlements.countsBy(read, query, "a.state")),
  serveRead(getSettlement, (read, { params }) => settlementDetail(read, params.id)),
  ...serveAct(SETTLE, settlementActs),
];
