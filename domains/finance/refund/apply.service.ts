import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { proposeRefund } from "./approval.service.ts";
import { approveNow } from "./approve.service.ts";
import { holdingOf, lockHolding, type HeldSource } from "./held.queries.ts";
import { moveRefund, noteRefund } from "./note.service.ts";
import { earnestOwner } from "./owner.service.ts";
import { payeeOf, type PayeeGiven } from "./payee.service.ts";
import { planOf, type Plan } from "./plan.service.ts";
import { readRefund } from "./record.queries.ts";
import { REFUND_MOVES, type Route } from "./refund.rules.ts";

constraintSays("refund_earnest", { code: "notAllowed", msg: "该定金已申请退款" });

export type Application = PayeeGiven & {
  source: HeldSource;
  sourceId: number;
  villageId: number;
  amount: Fen;
  reason: string;
  /** Left out: the way that is proposed. */
  route?: Route | undefined;
  fileIds?: readonly number[];
  /** What the applicant was shown; left out where the whole is asked for. */
  previewHash?: string | undefined;
};
export type Applied = { id: number; refundNo: string; amount: Fen; waiting: string | null };

const changed = (plan: Plan) =>
  new Refusal("previewChanged", "可退余额已变化，请核对后重新确认", 409, { data: plan });

/** Money is asked back, under the lock of what holds it; it is owed at once where nobody needs to approve. */
export async function applyRefund(act: Act, given: Application): Promise<Applied> {
  inScope(act.who, given.villageId);
  const of = await holdingOf(act, given);
  await lockHolding(act, of);
  const plan = await planOf(act, of, given.amount);
  if (given.previewHash !== undefined && given.previewHash !== plan.hash) throw changed(plan);
  if (!plan.available) throw new Refusal("notAllowed", "可退余额不足");
  if (given.amount > plan.available) throw invalid({ field: "amount", msg: "退款金额超过可退余额" });
  if (of.source === "earnest" && given.amount < plan.held)
    throw invalid({ field: "amount", msg: "定金须全额退还" });
  const route = given.route ?? plan.route;
  const why = plan.routes.find((r) => r.route === route)?.why;
  if (why) throw invalid({ field: "route", msg: why });
  const payee = await payeeOf(act, of.partyId, route, given);
  const [refundNo] = await act.numbers("TK");
  const by = act.who.operatorId || null;
  const now = act.now.toISOString();
  const { id } = await act.tx
    .insertInto("refund")
    .values({
      refundNo: refundNo!,
      source: of.source,
      sourceId: of.sourceId,
      villageId: of.villageId,
      partyId: of.partyId,
      roomId: of.roomId,
      contractId: of.contractId,
      amount: given.amount,
      reason: given.reason,
      state: "applied",
      route,
      routeNote: route === "channel" ? "" : plan.why,
      ...payee,
      createdAt: now,
      createdBy: by,
      updatedAt: now,
      updatedBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await attachFiles(act, given.fileIds ?? [], {
    targetKind: "refund",
    targetId: id,
    villageId: of.villageId,
    needs: "108.get",
  });
  const r = (await readRefund(act, id))!;
  await noteRefund(act, r, "申请退款", `${yuan(r.amount)} 元：${given.reason}`);
  if (of.source === "earnest")
    await earnestOwner().begun(act, { billId: of.sourceId, refundId: id, refundNo: refundNo!, ...given });
  const waiting = await proposeRefund(act, r);
  if (waiting) await moveRefund(act, r, REFUND_MOVES.next("submit", r));
  else await approveNow(act, r);
  return { id, refundNo: refundNo!, amount: given.amount, waiting };
}
