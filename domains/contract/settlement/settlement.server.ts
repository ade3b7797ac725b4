import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { TAB_OF } from "../act/act.queries.ts";
import { serveAct } from "../act/act.service.ts";
import { documentFile } from "../template/document.service.ts";
import {
  countSettlements,
  exportSettlements,
  findings,
  getSettlement,
  payeeAccounts,
  savePayee,
  settlementActs,
  settlementDays,
  settlementSheetFile,
} from "./settlement.contract.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { forbidden } from "../../../platform/kernel/refusal.ts";
import { findingsOf } from "./findings.service.ts";
import { accountsOf, setPayee } from "./payee.service.ts";
import { leaveDays, settlementDetail, settlements } from "./settlement.queries.ts";
import { settlementContent } from "./sheet.rules.ts";
import { sheetOf } from "./sheet.service.ts";
import { SETTLE } from "./settlement.service.ts";

export default [
  serveList(settlements),
  exportList(exportSettlements),
  serveRead(countSettlements, (read, { query }) => settlements.countsBy(read, query, TAB_OF)),
  serveRead(settlementDays, (read, { query }) => leaveDays(read, query)),
  serveRead(getSettlement, (read, { params }) => settlementDetail(read, params.id)),
  serveRead(settlementSheetFile, async (read, { params }) => {
    const { facts, name, document } = await sheetOf(read, params.id);
    return documentFile(read, document, { ...settlementContent(facts), name });
  }),
  serveRead(findings, async (read, { query }) => {
    const contract = await contractRecord(read, query.contractId);
    const may = read.who.permits.has("72.get") || read.who.permits.has("96.get");
    if (contract.kind !== "company" && !may) throw forbidden();
    return (await findingsOf(read, contract, query.roomIds)) as never;
  }),
  serveRead(payeeAccounts, (read, { params }) => accountsOf(read, params.id)),
  serve(savePayee, (act, { params, body }) => setPayee(act, params.id, body)),
  ...serveAct(SETTLE, settlementActs),
];
