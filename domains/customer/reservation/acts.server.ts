import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { cancel, changeRoom, extend, forfeit, startOfContract } from "./acts.service.ts";
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
import { showCode } from "./code.service.ts";
import "./refund.service.ts";
import { pay, restore } from "./pay.service.ts";
import { paperOf } from "./paper.service.ts";

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
];
