import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveImport } from "../../system/import/serve.service.ts";
import { SHEET_IMPORT } from "./import.service.ts";
import * as income from "./income.contract.ts";
import {
  changeSheet,
  confirmSheet,
  confirmSheets,
  makeSheet,
  removeSheet,
  reverseSheet,
} from "./income.service.ts";
import {
  changePartner,
  changeTerms,
  makePartner,
  partnerFor,
  sharedBy,
  switchPartner,
} from "./partner.service.ts";
import { linesOf, settleSheet, undoSettlement } from "./settle.service.ts";
import * as calls from "./third-party.contract.ts";
import { partnerDetail, partners, sheetDetail, sheets, summaries, termsAt } from "./third-party.queries.ts";

export default [
  serveList(partners),
  exportList(calls.exportPartners),
  serveRead(calls.getPartner, (read, { params }) => partnerDetail(read, params.id)),
  serve(calls.addPartner, async (act, { body }) => ({ id: await makePartner(act, body) })),
  serve(calls.editPartner, async (act, { params, body }) => {
    await changePartner(act, params.id, body);
    return params;
  }),
  serve(calls.enablePartner, async (act, { params, body }) => {
    await switchPartner(act, params.id, body.version, "enabled");
    return params;
  }),
  serve(calls.disablePartner, async (act, { params, body }) => {
    await switchPartner(act, params.id, body.version, "disabled");
    return params;
  }),
  serve(calls.addTerms, (act, { params, body }) => changeTerms(act, params.id, body)),

  serveList(sheets),
  exportList(income.exportSheets),
  serveList(summaries),
  exportList(income.exportSummary),
  serveRead(income.getSheet, (read, { params }) => sheetDetail(read, params.id)),
  serveRead(income.previewSheet, async (read, { query }) => {
    inScope(read.who, query.villageId);
    await partnerFor(read, query, "none");
    return sharedBy(await termsAt(read, query.thirdPartyId, query.month), query);
  }),
  serve(income.addSheet, (act, { body }) => makeSheet(act, body)),
  serveDone(income.editSheet, (act, { params, body }) => changeSheet(act, params.id, body)),
  serveDone(income.deleteSheet, (act, { params, query }) => removeSheet(act, params.id, query.version)),
  serve(income.confirmSheet, async (act, { params, body }) => ({
    waiting: await confirmSheet(act, params.id, body.version),
  })),
  serve(income.confirmSheets, async (act, { body }) => {
    const waiting = await confirmSheets(act, body.items);
    return { count: body.items.length - waiting, waiting };
  }),
  serveDone(income.reverseSheet, (act, { params, body }) => reverseSheet(act, params.id, body)),
  serveRead(income.settleLines, (read, { query }) => linesOf(read, query)),
  serve(income.settleSheet, (act, { params, body }) => settleSheet(act, params.id, body)),
  serve(income.undoSettlement, async (act, { params, body }) => ({
    waiting: await undoSettlement(act, params, body),
  })),
  ...serveImport(income.sheetImport, SHEET_IMPORT),
];
