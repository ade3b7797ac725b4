import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { previewOf } from "../statement/preview.service.ts";
import { takeBack } from "../statement/run.service.ts";
import { NOTHING_YET } from "../statement/statement.contract.ts";
import * as calls from "./corporate.contract.ts";
import { bankLines, lineCounts, lineDetail, returnableRefunds } from "./corporate.queries.ts";
import { previewClaim, submitClaim, undoClaim, withdrawClaim } from "./claim.service.ts";
import { bringLines } from "./import.service.ts";
import { lineOf } from "./line.service.ts";
import { suggestionsFor, wantedLines } from "./suggest.queries.ts";
import { classifyLine, unclassifyLine } from "./use.service.ts";

export default [
  serveList(bankLines),
  exportList(calls.exportBankLines),
  serveRead(calls.countBankLines, (read, { query }) => lineCounts(read, query)),
  serveRead(calls.returnable, (read, { query }) => returnableRefunds(read, query)),
  serveRead(calls.getBankLine, (read, { params }) => lineDetail(read, params.id)),
  serveRead(calls.suggestLine, async (read, { params }) => {
    await lineOf(read, params.id);
    return (await suggestionsFor(read, await wantedLines(read, [params.id]))).get(params.id) ?? [];
  }),

  serveRead(calls.previewBankLines, (read, { body, files }) =>
    previewOf(read, files, { ...body, mode: "claim" }),
  ),
  serve(calls.importBankLines, async (act, { body, files }) => {
    const { runId, taken } = await bringLines(act, files, body);
    return { runId, ...(taken ?? { ...NOTHING_YET, booked: 0, amount: 0, recognised: 0 }) };
  }),
  serve(calls.undoBankLines, (act, { params, query }) => takeBack(act, params.id, query.version, "claim")),

  serveRead(calls.previewClaim, (read, { body }) => previewClaim(read, body)),
  serve(calls.addClaim, (act, { body }) => submitClaim(act, body)),
  serveDone(calls.withdrawClaim, (act, { params, body }) => withdrawClaim(act, params.id, body.version)),
  serveDone(calls.undoClaim, (act, { params, body }) => undoClaim(act, params.id, body)),

  serve(calls.classifyBankLine, (act, { params, body }) => classifyLine(act, { ...body, lineId: params.id })),
  serveDone(calls.unclassifyBankLine, (act, { params, body }) => unclassifyLine(act, params.id, body)),
];
