import type { Act } from "../../../platform/server/pipeline/act.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
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

/** An act that answers nothing. */
const acting =
  <B>(work: (act: Act, id: number, body: B) => Promise<void>) =>
  async (act: Act, { params, body }: { params: { id: number }; body: B }) => {
    await work(act, params.id, body);
    return null;
  };

export default [
  serveList(viewings),
  serveRead(countViewings, (read, { query }) => viewings.countsBy(read, query, "w.state")),
  serveRead(viewingWeek, (read, { query }) => weekOf(read, query)),
  serveRead(roomViewings, (read, { query }) => viewingsOfRoom(read, query.roomId)),
  exportList(exportViewings),
  serveRead(getViewing, (read, { params }) => viewingDetail(read, params.id)),
  serve(addViewing, (act, { body }) => bookViewing(act, body)),
  serve(moveViewing, acting(moveTo)),
  serve(confirmViewing, acting(confirm)),
  serve(assignViewing, acting(assignTo)),
  serve(finishViewing, acting(finish)),
  serve(missViewing, acting(miss)),
  serve(cancelViewing, acting(cancel)),
];
