import { earnestHeld } from "../balance/balance.service.ts";
import { lockBills } from "../bill/bills.queries.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { applyRefund, type Applied } from "./apply.service.ts";

/** Earnest money goes back whole, by the way that is proposed; its account can follow before it is paid. */
export async function refundEarnest(act: Act, billId: number, reason: string): Promise<Applied> {
  const [bill] = await lockBills(act, [billId]);
  if (!bill) throw notFound();
  const amount = await earnestHeld(act, billId);
  if (!amount) throw new Refusal("notAllowed", "可退余额不足");
  return applyRefund(act, {
    source: "earnest",
    sourceId: billId,
    villageId: bill.villageId,
    amount,
    reason,
    later: true,
  });
}
