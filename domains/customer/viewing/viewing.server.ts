import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveDone, serveRead } from "../../../platform/server/pipeline/serve.ts";
import {
  addViewing,
  assignViewing,
  cancelViewing,
  confirmViewing,
  countViewings,
  exportViewings,
  finishViewing,
  getViewing,
  missViewing,
  moveViewing,
  roomViewings,
  viewingWeek,
} from "./viewing.contract.ts";
import { viewingDetail, viewings, viewingsOfRoom, weekOf } from "./viewing.queries.ts";
import { assignTo, bookViewing, cancel, confirm, finish, miss, moveTo } from "./viewing.service.ts";

export default [
  serveList(viewings),
  serveRead(countViewings, (read, { query }) => viewings.countsBy(read, query, "w.state")),
  serveRead(viewingWeek, (read, { query }) => weekOf(read, query)),
  serveRead(roomViewings, (read, { query }) => viewingsOfRoom(read, query.roomId)),
  exportList(exportViewings),
  serveRead(getViewing, (read, { params }) => viewingDetail(read, params.id)),
  serve(addViewing, (act, { body }) => bookViewing(act, body)),
  serveDone(moveViewing, (act, { params, body }) => moveTo(act, params.id, body)),
  serveDone(confirmViewing, (act, { params, body }) => confirm(act, params.id, body)),
  serveDone(assignViewing, (act, { params, body }) => assignTo(act, params.id, body)),
  serveDone(finishViewing, (act, { params, body }) => finish(act, params.id, body)),
  serveDone(missViewing, (act, { params, body }) => miss(act, params.id, body)),
  serveDone(cancelViewing, (act, { params, body }) => cancel(act, params.id, body)),
];
