import { serve, serveDone } from "../../../platform/server/pipeline/serve.ts";
import {
  cancelReservation,
  changeReservedRoom,
  convertReservation,
  extendReservation,
  forfeitReservation,
  payReservation,
  restoreReservation,
  showReservationCode,
} from "./acts.contract.ts";
import { cancel, changeRoom, extend, forfeit, showCode, startOfContract } from "./acts.service.ts";
import { pay, restore } from "./pay.service.ts";

export default [
  serve(payReservation, (act, { params, body }) =>
    pay(act, params.id, { ...body, paidAt: body.paidAt ?? act.now.toISOString() }),
  ),
  serve(showReservationCode, (act, { params, body }) => showCode(act, params.id, body)),
  serveDone(extendReservation, (act, { params, body }) => extend(act, params.id, body)),
  serve(changeReservedRoom, async (act, { params, body }) => ({
    waiting: await changeRoom(act, params.id, body),
  })),
  serve(cancelReservation, (act, { params, body }) => cancel(act, params.id, body)),
  serve(forfeitReservation, async (act, { params, body }) => ({
    waiting: await forfeit(act, params.id, body),
  })),
  serveDone(restoreReservation, (act, { params, body }) => restore(act, params.id, body)),
  serve(convertReservation, (act, { params, body }) => startOfContract(act, params.id, body.version)),
];
