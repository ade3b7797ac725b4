import { serveList } from "../../../platform/server/lists/list.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addArchive,
  archiveContracts,
  archiveFile,
  archiveLabels,
  countArchives,
  destroyArchive,
  exportArchives,
  extendLoan,
  getArchive,
  lendArchive,
  lendSlip,
  loseArchive,
  moveArchive,
  returnArchive,
  shelfGrid,
  storeArchives,
  verifyArchive,
} from "./archive.contract.ts";
import { archiveDetail, archives, countsOf, shelvesOf, signedContracts } from "./archive.queries.ts";
import { addOriginal, destroy, extend, lose, relocate, store, takeBack } from "./archive.service.ts";
import { fileFor, labelsOf, slipOf, verifyOne } from "./file.service.ts";
import { lend } from "./lend.service.ts";

export default [
  serveList(archives),
  serveRead(countArchives, (read, { query }) => countsOf(read, query)),
  exportList(exportArchives),
  serveRead(shelfGrid, (read, { query }) => shelvesOf(read, query.villageIds)),
  serveRead(archiveContracts, (read, { query }) => signedContracts(read, query)),
  serveRead(getArchive, (read, { params }) => archiveDetail(read, params.id)),
  serve(addArchive, (act, { body }) => addOriginal(act, body)),
  serve(storeArchives, async (act, { body }) => ({ done: await store(act, body) })),
  serveDone(moveArchive, (act, { params, body }) => relocate(act, params.id, body)),
  serve(lendArchive, async (act, { params, body }) => ({ waiting: await lend(act, params.id, body) })),
  serveDone(returnArchive, (act, { params, body }) => takeBack(act, params.id, body)),
  serveDone(extendLoan, (act, { params, body }) => extend(act, params.id, body)),
  serveDone(loseArchive, (act, { params, body }) => lose(act, params.id, body)),
  serveDone(destroyArchive, (act, { params, body }) => destroy(act, params.id, body)),
  serve(verifyArchive, (act, { params }) => verifyOne(act, params.id)),
  serve(archiveFile, (act, { params }) => fileFor(act, params.id)),
  serveRead(lendSlip, (read, { params }) => slipOf(read, params.id)),
  serveRead(archiveLabels, (read, { body }) => labelsOf(read, body)),
];
