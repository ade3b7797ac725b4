import { exportList } from "../../../platform/server/export.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { reserve } from "./create.service.ts";
import { countsOf, reservationDetail, reservationList } from "./reservation.queries.ts";
import {
  addReservation,
  countReservations,
  exportReservations,
  getReservation,
  listReservations,
} from "./reservation.contract.ts";

export default [
  serveRead(listReservations, (read, { query }) => reservationList(read, query)),
  serveRead(countReservations, (read, { query }) => countsOf(read, query)),
  exportList(exportReservations),
  serveRead(getReservation, (read, { params }) => reservationDetail(read, params.id)),
  serve(addReservation, (act, { body }) => reserve(act, body)),
];
