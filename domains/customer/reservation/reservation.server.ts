import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import {
  cancelReservation,
  changeReservedRoom,
  convertReservation,
  extendReservation,
  forfeitReservation,
  payReservation,
  reservationPaper,
  restoreReservation,
  showReservationCode,
} from "./acts.contract.ts";
import { cancel, changeRoom, extend, forfeit, showCode, startOfContract } from "./acts.service.ts";
import { reserve, rulesOf } from "./create.service.ts";
import { paperOf, sendPaper } from "./paper.service.ts";
import { pay, restore } from "./pay.service.ts";
import {
  addReservation,
  countReservations,
  exportReservations,
  getReservation,
  listReservations,
  reservationRules,
  sendReservationPaper,
} from "./reservation.contract.ts";
import { countsOf, reservationDetail, reservationList } from "./reservation.queries.ts";

export default [
  serve(payReservation, (act, { params, body }) =>
    pay(act, params.id, { ...body, paidAt: body.paidAt ?? act.now.toISOString() }),
  ),
  serve(showReservationCode, (act, { params, body }) => showCode(act, params.id, body)),
  serve(extendReservation, async (act, { params, body }) => {
    await extend(act, params.id, body);
    return null;
  }),
  serve(changeReservedRoom, async (act, { params, body }) => ({
    waiting: await changeRoom(act, params.id, body),
  })),
  serve(cancelReservation, (act, { params, body }) => cancel(act, params.id, body)),
  serve(forfeitReservation, async (act, { params, body }) => ({
    waiting: await forfeit(act, params.id, body),
  })),
  serve(restoreReservation, async (act, { params, body }) => {
    await restore(act, params.id, body);
    return null;
  }),
  serve(convertReservation, (act, { params, body }) => startOfContract(act, params.id, body.version)),
  serveRead(reservationPaper, (read, { params }) => paperOf(read, params.id)),
  serveRead(listReservations, (read, { query }) => reservationList(read, query)),
  serveRead(countReservations, (read, { query }) => countsOf(read, query)),
  exportList(exportReservations),
  serveRead(reservationRules, (read, { query }) => rulesOf(read, inScope(read.who, query.villageId))),
  serveRead(getReservation, (read, { params }) => reservationDetail(read, params.id)),
  serve(addReservation, (act, { body }) => reserve(act, body)),
  serve(sendReservationPaper, async (act, { params }) => ({ sent: await sendPaper(act, params.id) })),
];
