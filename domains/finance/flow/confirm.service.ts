import { z } from "zod";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { addPrepaid } from "../balance/balance.service.ts";
import { post } from "../journal/journal.service.ts";
import { carryOut } from "./carry.service.ts";
import { FLOW_MOVES, receiptEntries } from "./flow.rules.ts";
import { counterChannelOf, lockFlow, readFlow, type Flow } from "./locked.queries.ts";
import { lockGround, previewOn, previewReceipt, type Preview, type Receipt } from "./receive.service.ts";

const wanted = z.object({
  wants: z.array(
    z.object({ billId: z.number(), lineId: z.number().nullable(), amount: z.number().optional() }),
  ),
  usePrepaid: z.boolean(),
  hash: z.string(),
});
const NOTHING = { wants: [], usePrepaid: false, hash: "" };

/** What a waiting flow was booked for. */
function receiptOf(flow: Flow): Receipt & { hash: string } {
  const asked = wanted.safeParse(flow.wanted ?? NOTHING);
  const { wants, usePrepaid, hash } = asked.success ? asked.data : NOTHING;
  const { villageId, amount, merchantAccountId, paidAt } = flow;
  const partyId = flow.partyId ?? 0;
  return {
    villageId,
    partyId,
    amount,
    merchantAccountId,
    paidAt,
    channel: counterChannelOf(flow),
    wants,
    usePrepaid,
    hash,
  };
}

export async function previewConfirm(read: Read, flowId: number): Promise<Preview> {
  return previewReceipt(read, receiptOf(await readFlow(read, flowId)));
}

/**
 * The second person says the money is there: it is posted, and pays what it was booked for. Who booked a flow cannot
 * confirm it. When the bills changed since, the new preview comes back once and must be confirmed by its hash.
 */
export async function confirmFlow(act: Act, flowId: number, hash?: string): Promise<Flow> {
  const seen = await readFlow(act, flowId);
  if (seen.status === "confirmed") throw new Refusal("alreadyConfirmed", "流水已确认");
  FLOW_MOVES.next("confirm", seen);
  if (seen.createdBy !== null && seen.createdBy === act.who.operatorId)
    throw new Refusal("sameOperator", "录入人不能确认自己的流水");
  const receipt = receiptOf(seen);
  const ground = await lockGround(act, receipt);
  const flow = await lockFlow(act, flowId);
  if (flow.status !== "pending") throw new Refusal("alreadyConfirmed", "流水已确认");
  const preview = await previewOn(act, receipt, ground);
  if (receipt.wants.length && preview.hash !== (hash ?? receipt.hash))
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });
  const now = act.now.toISOString();
  await act.tx
    .updateTable("flow")
    .set((eb) => ({
      state: "confirmed",
      confirmedAt: now,
      confirmedBy: act.who.operatorId || null,
      updatedAt: now,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", flowId)
    .execute();
  await post(act, receiptEntries(flow, flow));
  await addPrepaid(act, receipt.villageId, receipt.partyId, flow.amount);
  await carryOut(act, receipt, preview, ground.bills, ground.around, flowId);
  return flow;
}

/** Says that the money of a waiting flow never came. */
export async function rejectFlow(act: Act, flowId: number, reason: string): Promise<Flow> {
  const flow = await lockFlow(act, flowId);
  FLOW_MOVES.next("reject", flow);
  await act.tx
    .updateTable("flow")
    .set((eb) => ({ state: "rejected", reverseReason: reason, version: eb("version", "+", 1) }))
    .where("id", "=", flowId)
    .execute();
  return flow;
}
