import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { serveAct } from "../act/act.service.ts";
import { documentFile } from "../template/document.service.ts";
import {
  countSettlements,
  exportSettlements,
  getSettlement,
  settlementActs,
  settlementDays,
  settlementSheetFile,
} from "./settlement.contract.ts";
import { leaveDays, settlementDetail, settlements } from "./settlement.queries.ts";
import { settlementContent } from "./sheet.rules.ts";
import { sheetOf } from "./sheet.service.ts";
import { SETTLE } from "./settlement.service.ts";

export default [
  serveList(settlements),
  exportList(exportSettlements),
  serveRead(countSettlements, (read, { query }) => settlements.countsBy(read, query, "a.state")),
  serveRead(settlementDays, (read, { query }) => leaveDays(read, query)),
  serveRead(getSettlement, (read, { params }) => settlementDetail(read, params.id)),
  serveRead(settlementSheetFile, async (read, { params }) => {
    const { facts, name, document } = await sheetOf(read, params.id);
    return documentFile(read, document, { ...settlementContent(facts), name });
  }),
  ...serveAct(SETTLE, settlementActs),
];
