import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serveList } from "../../../platform/server/lists/list.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { reserve, rulesOf } from "./create.service.ts";
import { paperOf, sendPaper } from "./paper.service.ts";
import {
  addReservation,
  countReservations,
  exportReservations,
  getReservation,
  reservationPaper,
  reservationRules,
  sendReservationPaper,
} from "./reservation.contract.ts";
import { reservationDetail, reservations } from "./reservation.queries.ts";

export default [
  serveRead(reservationPaper, (read, { params }) => paperOf(read, params.id)),
  serveList(reservations),
  serveRead(countReservations, (read, { query }) => reservations.countsBy(read, query, "r.state")),
  exportList(exportReservations),
  serveRead(reservationRules, (read, { query }) => rulesOf(read, inScope(read.who, query.villageId))),
  serveRead(getReservation, (read, { params }) => reservationDetail(read, params.id)),
  serve(addReservation, (act, { body }) => reserve(act, body)),
  serve(sendReservationPaper, async (act, { params }) => ({ sent: await sendPaper(act, params.id) })),
];
