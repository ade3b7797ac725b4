import { yuan } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { ownsEarnest } from "../../finance/refund/record.service.ts";
import { endWithout, move } from "./hold.service.ts";
import { noteReservation, tellOwner } from "./note.service.ts";
import { readReservation, type Reservation } from "./record.queries.ts";
import { RESERVATION_MOVES } from "./reservation.rules.ts";

/** The reservation that money is held for, locked; a refund's own is the one that names it. */
async function heldFor(act: Act, of: { billId: number } | { refundId: number }): Promise<Reservation> {
  const row = await act.tx
    .selectFrom("reservation")
    .select("id")
    .where((eb) => ("billId" in of ? eb("billId", "=", of.billId) : eb("refundId", "=", of.refundId)))
    .executeTakeFirst();
  const r = row && (await readReservation(act, row.id, true));
  if (!r) throw notFound();
  return r;
}

/** What becomes of the refund of its money becomes of the reservation, in the same transaction. */
ownsEarnest({
  begun: async (act, { billId, refundId, refundNo, reason, amount }) => {
    const r = await heldFor(act, { billId });
    const state = RESERVATION_MOVES.next("refund", r);
    await endWithout(act, r, state, reason, { refundId });
    const summary = `${reason}，申请退还${r.earnestKind} ${yuan(amount)} 元（${refundNo}）`;
    await noteReservation(act, r, "取消退款", summary);
  },
  paid: async (act, refundId) => {
    const r = await heldFor(act, { refundId });
    await move(act, r, RESERVATION_MOVES.next("payBack", r));
    await noteReservation(act, r, "退款支付", `已退还${r.earnestKind} ${yuan(r.earnest)} 元`);
  },
  returned: async (act, refundId, reason) => {
    const r = await heldFor(act, { refundId });
    await move(act, r, RESERVATION_MOVES.next("payAgain", r));
    await noteReservation(act, r, "退款被退回", reason);
  },
  dropped: async (act, refundId, reason) => {
    const r = await heldFor(act, { refundId });
    await move(act, r, RESERVATION_MOVES.next("keepMoney", r), { endReason: `退款未办理：${reason}` });
    await noteReservation(act, r, "退款未办理", `${reason}，${r.earnestKind}仍在管`);
    await tellOwner(
      act,
      r,
      `退款未办理：${r.partyName}`,
      `${r.number} 的退款未办理（${reason}），${r.earnestKind}仍在管，可恢复预订、重新退款或没收。`,
    );
  },
});
