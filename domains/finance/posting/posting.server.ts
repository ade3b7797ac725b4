import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { placeOf } from "./books.queries.ts";
import { fileOf } from "./file.service.ts";
import * as map from "./mapping.contract.ts";
import {
  addMapping,
  editMapping,
  mappingAt,
  mappings,
  mapUsual,
  removeMapping,
  unmappedOf,
} from "./mapping.service.ts";
import * as calls from "./posting.contract.ts";
import { behind, checksOf, postingOf, postings, yearOf } from "./posting.queries.ts";
import { runOf, runsOf, startRun } from "./run.service.ts";
import * as spreads from "./spread.contract.ts";
import { costs, planSpread, spreadCost, undoSpread } from "./spread.service.ts";
import { book, discard, exportAndLock, exportOnceMore, generate, reopen } from "./posting.service.ts";

export default [
  serveList(costs),
  exportList(spreads.exportCosts),
  serveRead(spreads.previewSpread, (read, { params, body }) => planSpread(read, params.id, body)),
  serve(spreads.spreadCost, async (act, { params, body }) => ({
    stores: await spreadCost(act, params.id, body),
  })),
  serveDone(spreads.undoSpread, (act, { params, query }) => undoSpread(act, params.id, query.version)),

  serveList(postings),
  exportList(calls.exportPostings),
  serveRead(calls.postingYear, (read, { query }) => yearOf(read, query)),
  serveRead(calls.checkPosting, (read, { query: { villageId, ...asked } }) =>
    checksOf(read, { ...asked, ...(villageId !== undefined && { villageId }) }),
  ),
  serve(calls.generatePosting, async (act, { body: { villageId, ...of } }) => ({
    id: await generate(act, { place: await placeOf(act, villageId), ...of }),
  })),
  serve(calls.generateMany, async (act, { body }) => ({ id: await startRun(act, body) })),
  serveRead(calls.listRuns, (read, { query }) => runsOf(read, query.side)),
  serveRead(calls.getRun, (read, { params }) => runOf(read, params.id)),
  serveRead(calls.getPosting, (read, { params }) => postingOf(read, params.id)),
  serveRead(calls.entriesBehind, (read, { query: { order, ...asked } }) =>
    behind(read, { ...asked, ...(order && { order }) }),
  ),
  exportList(calls.exportEntries),
  serveDone(calls.discardPosting, (act, { params, query }) => discard(act, params.id, query.version)),
  serve(calls.exportPosting, async (act, { params, body: { version, format } }) => {
    await exportAndLock(act, [{ id: params.id, version }]);
    return fileOf(act, [params.id], format);
  }),
  serve(calls.exportMany, async (act, { body: { items, format } }) => {
    await exportAndLock(act, items);
    return fileOf(
      act,
      items.map(({ id }) => id),
      format,
    );
  }),
  serve(calls.exportAgain, async (act, { params, body: { version, format } }) => {
    await exportOnceMore(act, [{ id: params.id, version }]);
    return fileOf(act, [params.id], format);
  }),
  serve(calls.exportManyAgain, async (act, { body: { items, format } }) => {
    await exportOnceMore(act, items);
    return fileOf(
      act,
      items.map(({ id }) => id),
      format,
    );
  }),
  serveDone(calls.bookPosting, (act, { params, body }) =>
    book(act, params.id, body.version, body.glVoucherNo),
  ),
  serveDone(calls.reopenPosting, (act, { params, body }) =>
    reopen(act, params.id, body.version, body.reason),
  ),

  serveList(mappings),
  exportList(map.exportMappings),
  serveRead(map.unmapped, (read) => unmappedOf(read)),
  serveRead(map.ledgerAccounts, (read) =>
    read.tx
      .selectFrom("account")
      .select(["code", "name"])
      .where("code", "<>", "3999")
      .orderBy("code")
      .execute(),
  ),
  serveRead(map.getMapping, (read, { params }) => mappingAt(read, params.id)),
  serve(map.addMapping, async (act, { body }) => {
    const { feeSubjectId = null, merchantAccountId = null, villageId = null, ...code } = body;
    return { id: await addMapping(act, { ...code, feeSubjectId, merchantAccountId, villageId }) };
  }),
  serve(map.editMapping, async (act, { params, body }) => {
    await editMapping(act, params.id, body);
    return { id: params.id };
  }),
  serveDone(map.removeMapping, (act, { params, query }) => removeMapping(act, params.id, query.version)),
  serve(map.usualMappings, async (act) => ({ made: await mapUsual(act) })),
];
