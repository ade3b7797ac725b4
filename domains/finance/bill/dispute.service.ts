import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { Bill } from "./bill.rules.ts";

/** Marks a bill as disputed from today on, or ends the dispute today; the days between bear no late fee. */
export async function setDispute(
  act: Act,
  bill: Bill,
  { disputed, reason }: { disputed: boolean; reason: string },
): Promise<void> {
  const open = bill.disputedFrom !== null && bill.disputedTo === null;
  if (bill.status === "void" || bill.outstanding === 0)
    throw new Refusal("notAllowed", "账单没有未收金额，不能标记争议");
  if (disputed && open) throw new Refusal("notAllowed", "账单已在争议中");
  if (!disputed && !open) throw new Refusal("notAllowed", "账单不在争议中");
  const by = act.who.operatorId || null;
  if (disputed)
    await act.tx
      .insertInto("billDispute")
      .values({ billId: bill.id, fromDay: act.today, reason, createdBy: by })
      .execute();
  else
    await act.tx
      .updateTable("billDispute")
      .set({ toDay: act.today })
      .where("billId", "=", bill.id)
      .where("toDay", "is", null)
      .execute();
  await act.tx
    .updateTable("bill")
    .set({
      ...(disputed ? { disputedFrom: act.today, disputedTo: null } : { disputedTo: act.today }),
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
      updatedBy: by,
    })
    .where("id", "=", bill.id)
    .execute();
  await act.note({
    kind: "bill",
    recordId: bill.id,
    number: bill.billNo,
    villageId: bill.villageId,
    action: disputed ? "标记争议" : "解除争议",
    summary: reason,
  });
}
