import { yuan } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { forfeitEarnest } from "../../finance/earnest/earnest.service.ts";
import { endWithout } from "./hold.service.ts";
import { noteReservation } from "./note.service.ts";
import type { Reservation } from "./record.queries.ts";
import { RESERVATION_MOVES } from "./reservation.rules.ts";

/** The customer did not come: the 定金 becomes income and the room is free. */
export async function forfeitNow(act: Act, r: Reservation, reason: string): Promise<void> {
  const state = RESERVATION_MOVES.next("forfeit", r);
  const { billNo, amount } = await forfeitEarnest(act, r.billId!, `没收定金 ${r.number}`);
  await endWithout(act, r, state, reason);
  await noteReservation(act, r, "没收定金", `没收定金 ${yuan(amount)} 元，转违约金账单 ${billNo}：${reason}`);
}
