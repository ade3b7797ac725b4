import { sql } from "kysely";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { addEarnest, addHeld, addPrepaid, keepContractMoney } from "../balance/balance.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { heldOf, lockHolding } from "./held.queries.ts";
import { moveRefund, noteRefund } from "./note.service.ts";
import { earnestOwner } from "./owner.service.ts";
import { planParts } from "./plan.service.ts";
import { owedBackEntry } from "./posting.rules.ts";
import type { Refund } from "./record.queries.ts";
import { REFUND_MOVES, REFUND_STATE, type RefundState } from "./refund.rules.ts";

type Taken = { flowId: number | null; amount: Fen };

/** Approved: the money leaves what is held and is owed back (E12). Two at once: the second finds too little left. */
export async function approveNow(act: Act, r: Refund): Promise<void> {
  await lockHolding(act, r);
  const state = REFUND_MOVES.next("approve", r);
  if ((await heldOf(act, r)) < r.amount) throw new Refusal("notAllowed", "可退余额不足");
  const parts = await planParts(act, r, r.amount, true);
  await act.tx.deleteFrom("refundPart").where("refundId", "=", r.id).execute();
  await act.tx
    .insertInto("refundPart")
    .values(parts.map((part, seq) => ({ refundId: r.id, seq, flowId: part.flowId, amount: part.amount })))
    .execute();
  await post(act, [owedBackEntry(r, parts, act.today)]);
  await changeHeld(act, r, parts, -1);
  await moveRefund(act, r, state, { approvedAt: act.now.toISOString() });
  await noteRefund(act, r, "退款审批通过", `${yuan(r.amount)} 元待支付`);
}

/** Takes the money out of its balance, or gives it back there. */
async function changeHeld(act: Act, r: Refund, parts: readonly Taken[], sign: 1 | -1): Promise<void> {
  const { villageId } = r;
  if (r.source === "earnest")
    return addEarnest(act, [{ billId: r.sourceId, villageId, amount: sign * r.amount }]);
  if (r.source === "deposit") {
    const contractId = r.contractId!;
    await addHeld(act, [{ contractId, kind: "deposit", villageId, amount: sign * r.amount }]);
    return keepContractMoney(act, [contractId]);
  }
  const opening = parts.filter((p) => p.flowId === null).reduce((sum, p) => sum + p.amount, 0);
  await addPrepaid(act, villageId, r.partyId, sign * r.amount, sign * opening);
  for (const { flowId, amount } of parts)
    if (flowId !== null)
      await sql`update flow set refunded = refunded - ${sign * amount}, updated_at = ${act.now.toISOString()},
        version = version + 1 where id = ${flowId}`.execute(act.tx);
}

/** It will not be paid: what was taken goes back to where it was held, by the mirror of its entry. */
export async function dropRefund(
  act: Act,
  r: Refund,
  to: Extract<RefundState, "rejected" | "cancelled">,
  reason: string,
): Promise<void> {
  const owed = r.status === "toPay" || r.status === "failed";
  const state = REFUND_MOVES.next(to === "rejected" ? "reject" : "cancel", r);
  if (owed) {
    await lockHolding(act, r);
    const parts = await act.tx
      .selectFrom("refundPart")
      .select(["flowId", "amount"])
      .where("refundId", "=", r.id)
      .execute();
    const [posted] = await entriesOf(act, { sourceType: "refund", sourceIds: [r.id], events: ["E12"] });
    const as = {
      event: "E12",
      sourceType: "refund",
      sourceId: r.id,
      seq: 1,
      businessDate: act.today,
    } as const;
    await post(act, [mirrorOf(posted!, { ...as, memo: reason })]);
    await changeHeld(act, r, parts, 1);
  }
  await moveRefund(act, r, state, { endReason: reason });
  await noteRefund(act, r, `退款${REFUND_STATE[to][0].slice(1)}`, reason);
  if (r.source === "earnest") await earnestOwner().dropped(act, r.id, reason);
}
