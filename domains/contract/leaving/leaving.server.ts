import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  askMany,
  assignHandler,
  confirmMany,
  leavable,
  leavingBatch,
  leavingBatches,
  previewMany,
} from "./leaving.contract.ts";
import { batchesOf, batchOf, expired, leavableOf } from "./leaving.queries.ts";
import * as many from "./leaving.service.ts";

export default [
  serveList(expired),
  serveRead(leavable, (read, { query }) => leavableOf(read, query)),
  serve(askMany, (act, { body }) => many.askMany(act, body)),
  serveRead(previewMany, (read, { body }) => many.previewMany(read, body.ids)),
  serve(confirmMany, (act, { body }) => many.confirmMany(act, body.rows)),
  serveRead(leavingBatches, batchesOf),
  serveRead(leavingBatch, (read, { params }) => batchOf(read, params.id)),
  serve(assignHandler, (act, { body }) => many.assign(act, body)),
];
