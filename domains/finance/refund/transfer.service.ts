import type { Fen } from "../../../platform/kernel/fen.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { markReturned } from "./attempt.service.ts";
import { payeeOf } from "./plan.service.ts";
import { type Attempt, attemptsOf, lockRefund, type Refund } from "./refund.queries.ts";
import { REFUND_MOVES } from "./refund.rules.ts";
import { earnestOwner, enterRefund, submitRefund } from "./refund.service.ts";
import { moveRefund, noteRefund } from "./move.service.ts";

export type Transfer = {
  /** The bank line that it came by. */
  lineId: number;
  villageId: number;
  partyId: number;
  amount: Fen;
  reason: string;
  payeeBank?: string | undefined;
  payeeAccount?: string | undefined;
};

/**
 * Pays a transfer by mistake back to whoever sent it. It is owed already: whoever calls books it (2202) in the same
 * transaction, and hears (`ownsTransfers`) where it is not paid after all.
 */
export async function refundTransfer(act: Act, of: Transfer): Promise<{ id: number; refundNo: string }> {
  inScope(act.who, of.villageId);
  const { villageId, partyId, payeeBank, payeeAccount } = of;
  const payee = await payeeOf(act, partyId, "bank", { payeeBank, payeeAccount, later: true });
  const source = { source: "transfer" as const, sourceId: of.lineId, villageId, partyId };
  const r = await enterRefund(
    act,
    { ...source, roomId: null, contractId: null },
    { amount: of.amount, reason: of.reason, route: "bank", routeNote: "", payee },
  );
  await submitRefund(act, r);
  return r;
}

type Paid = { r: Refund; attempt: Attempt };

async function lastPaid(act: Act, refundId: number, state: Attempt["state"]): Promise<Paid> {
  const r = await lockRefund(act, refundId);
  const attempt = (await attemptsOf(act, refundId)).at(-1);
  if (attempt?.state !== state || attempt.route !== "bank")
    throw new Refusal("notAllowed", "没有可登记退回的付款");
  return { r, attempt };
}

/** The refund that money on its way back belongs to, locked: paid by the bank, and with this very amount. */
export async function lockReturning(act: Act, refundId: number, amount: Fen): Promise<Paid> {
  const paid = await lastPaid(act, refundId, "success");
  REFUND_MOVES.next("returned", paid.r);
  if (paid.attempt.amount !== amount)
    throw invalid({ field: "amount", msg: `金额须等于退款金额 ${yuan(paid.attempt.amount)}` });
  return paid;
}

/** The money has come back, as money that whoever calls books (against 2202): it is owed again. */
export const returnByLine = (act: Act, { r, attempt }: Paid, reason: string): Promise<void> =>
  markReturned(act, r, attempt, reason);

/** It had not come back: the refund is paid as before. Refused once it was sent another way. */
export async function undoReturn(act: Act, refundId: number, reason: string): Promise<void> {
  const { r, attempt } = await lastPaid(act, refundId, "returned").catch((error: unknown) => {
    if (error instanceof Refusal && error.code === "notAllowed")
      throw new Refusal("notAllowed", "该退款已重新支付，不能取消标记");
    throw error;
  });
  await refuseFrozen(act, "refund", [refundId]);
  const state = REFUND_MOVES.next("regain", r);
  const { flowId } = attempt;
  if (!flowId) throw notFound();
  const flow = await theRow(act, "flow", ["paidAt", "paidOn"], { id: flowId });
  await act.tx
    .updateTable("refundAttempt")
    .set({ state: "success", message: "" })
    .where("id", "=", attempt.id)
    .execute();
  const paid = r.paid + attempt.amount;
  await moveRefund(act, r, state, {
    paid,
    flowId,
    paidAt: String(flow.paidAt),
    paidOn: flow.paidOn,
    failure: "",
  });
  await noteRefund(act, r, "撤销退回", reason);
  if (r.source === "earnest") await earnestOwner().paid(act, r.id);
}
