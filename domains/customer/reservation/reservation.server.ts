import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { reserve, rulesOf } from "./create.service.ts";
import { countsOf, reservationDetail, reservationList } from "./reservation.queries.ts";
import {
  addReservation,
  countReservations,
  exportReservations,
  getReservation,
  listReservations,
  reservationRules,
} from "./reservation.contract.ts";

export default [
  serveRead(listReservations, (read, { query }) => reservationList(read, query)),
  serveRead(countReservations, (read, { query }) => countsOf(read, query)),
  exportList(exportReservations),
  serveRead(reservationRules, (read, { query }) => rulesOf(read, inScope(read.who, query.villageId))),
  serveRead(getReservation, (read, { params }) => reservationDetail(read, params.id)),
  serve(addReservation, (act, { body }) => reserve(act, body)),
];
