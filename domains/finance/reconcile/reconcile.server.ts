import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import * as files from "../statement/statement.contract.ts";
import { provedAccount, statements } from "../statement/statement.queries.ts";
import { faultSheet, previewOf } from "../statement/preview.service.ts";
import { bring, runsOf, takeBack } from "../statement/run.service.ts";
import type { Taken } from "../statement/statement.service.ts";
import * as templates from "../statement/template.contract.ts";
import { dropTemplate, keepTemplate, templatesFor } from "../statement/template.service.ts";
import { compare } from "./compare.service.ts";
import "./file.service.ts";
import * as calls from "./reconcile.contract.ts";
import { calendarOf, reconciled, resultsOf } from "./reconcile.queries.ts";
import { pair, reopen, resolve, resolveAll, settle, unpair } from "./resolve.service.ts";
import { payByLine, recordLine, refundsPaidBy } from "./record.service.ts";
import { registerRefund } from "./told-refund.service.ts";

export default [
  serveList(statements),
  serveRead(files.previewStatement, (read, { body, files: sent }) => previewOf(read, sent, body)),
  serveRead(files.statementFaults, (read, { body, files: sent }) => faultSheet(read, sent, body)),
  serve(files.importStatement, async (act, { body, files: sent }) => {
    const { runId, taken } = await bring<Taken>(act, sent, { ...body, mode: "reconcile" });
    return { runId, ...(taken ?? files.NOTHING_YET) };
  }),
  serve(files.undoStatement, (act, { params, query }) =>
    takeBack(act, params.id, query.version, "reconcile"),
  ),
  serveRead(files.listRuns, (read, { query }) => runsOf(read, query)),
  serveRead(templates.listTemplates, (read, { query }) => templatesFor(read, query.merchantAccountId)),
  serve(templates.saveTemplate, (act, { body }) => keepTemplate(act, body)),
  serve(templates.endTemplate, async (act, { params }) => {
    await dropTemplate(act, params.id);
    return { id: params.id };
  }),

  serveRead(calls.calendar, (read, { query }) => calendarOf(read, query)),
  serveList(reconciled),
  exportList(calls.exportReconcile),
  serveRead(calls.countReconcile, (read, { query }) => resultsOf(read, query)),
  serve(calls.runReconcile, async (act, { body }) => {
    const { from, to } = body;
    if (to < from) throw invalid({ field: "to", msg: "结束日期不能早于开始日期" });
    if (daysBetween(from, to) > 366) throw invalid({ field: "to", msg: "日期范围不能超过366天" });
    const account = await provedAccount(act, body.merchantAccountId, true);
    return { open: await compare(act, { account, from, to }) };
  }),
  serve(calls.resolveItem, async (act, { params, body }) => {
    await resolve(act, [params.id], body);
    return { id: params.id };
  }),
  serve(calls.settleItem, async (act, { params, body }) => {
    await settle(act, params.id, body);
    return { id: params.id };
  }),
  serve(calls.refundItem, (act, { params, body }) => registerRefund(act, params.id, body)),
  serve(calls.recordItem, (act, { params, body }) => recordLine(act, params.id, body)),
  serveRead(calls.payableRefunds, (read, { query }) => refundsPaidBy(read, query)),
  serve(calls.payItem, (act, { params, body }) => payByLine(act, params.id, body)),
  serve(calls.resolveShown, async (act, { body }) => ({ count: await resolveAll(act, body) })),
  serve(calls.resolveItems, async (act, { body }) => ({ count: await resolve(act, body.ids, body) })),
  serve(calls.reopenItem, async (act, { params, body }) => {
    await reopen(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(calls.matchItems, async (act, { body }) => ({ id: await pair(act, body) })),
  serveDone(calls.unmatchItem, (act, { params, query }) => unpair(act, params.id, query.version)),
];
