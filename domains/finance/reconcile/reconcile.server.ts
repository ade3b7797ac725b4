import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import * as files from "../statement/statement.contract.ts";
import { provedAccount, statements } from "../statement/statement.queries.ts";
import { previewOf, takeStatement } from "../statement/statement.service.ts";
import { compare } from "./compare.service.ts";
import * as calls from "./reconcile.contract.ts";
import { calendarOf, reconciled, resultsOf } from "./reconcile.queries.ts";
import { pair, reopen, resolve, settle, undoFile, unpair } from "./resolve.service.ts";

export default [
  serveList(statements),
  serveRead(files.previewStatement, (read, { body, files: sent }) => previewOf(read, sent, body)),
  serve(files.importStatement, async (act, { body, files: sent }) => {
    const { accountId, from, to, ...taken } = await takeStatement(act, sent, body);
    const account = await provedAccount(act, accountId);
    // a payment just before midnight stands in the file of the day after
    await compare(act, { account, from: addDays(from, -1), to: addDays(to, 1) });
    return taken;
  }),
  serveDone(files.undoStatement, (act, { params, query }) => undoFile(act, params.id, query.version)),

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
  serve(calls.resolveItems, async (act, { body }) => ({ count: await resolve(act, body.ids, body) })),
  serve(calls.reopenItem, async (act, { params, body }) => {
    await reopen(act, params.id, body.version);
    return { id: params.id };
  }),
  serve(calls.matchItems, async (act, { body }) => ({ id: await pair(act, body) })),
  serveDone(calls.unmatchItem, (act, { params, query }) => unpair(act, params.id, query.version)),
];
