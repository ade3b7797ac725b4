import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { addPrepaid } from "../balance/balance.service.ts";
import { post } from "../journal/journal.service.ts";
import { carryOut } from "./carry.service.ts";
import { channelFee, receiptEntries } from "./flow.rules.ts";
import { lockGround, type Receipt } from "./ground.service.ts";
import { insertFlow } from "./insert.service.ts";
import { changed, previewOn, purseOf, refuseVoid, type Preview } from "./preview.service.ts";

/**
 * Takes money: E06, the channel's fee E07, and what it pays E08, all or nothing. Refused with the new preview when
 * anything changed since `hash` was shown. A channel that needs a second person leaves the flow waiting.
 */
export async function receive(
  act: Act,
  receipt: Receipt,
  hash: string,
): Promise<{ id: number | null; flowNo: string; state: "pending" | "confirmed"; preview: Preview }> {
  const account = await purseOf(act, receipt);
  const { channel } = receipt;
  if (receipt.amount && !account) throw invalid({ field: "merchantAccountId", msg: "请选择账户" });
  const ground = await lockGround(act, receipt);
  refuseVoid(ground);
  const fee = channelFee(receipt.amount, account?.feeRate ?? "0", account?.feeCap ?? null);
  const preview = await previewOn(act, receipt, ground, fee);
  if (preview.hash !== hash) throw changed(preview);
  if (!account || !channel) {
    if (!preview.paid) throw invalid({ field: "amount", msg: "金额必须大于0" });
    await carryOut(act, receipt, preview, ground.bills, ground.around);
    return { id: null, flowNo: "", state: "confirmed", preview };
  }
  const waits =
    !receipt.outTradeNo &&
    (ground.around.settings(receipt.villageId).confirmChannels as readonly string[]).includes(channel);
  const flow = {
    direction: "in" as const,
    kind: "receipt" as const,
    villageId: receipt.villageId,
    partyId: receipt.partyId,
    roomId: receipt.roomId ?? ground.bills.find((b) => b.roomId)?.roomId ?? null,
    channel,
    merchantAccountId: account.id,
    amount: receipt.amount,
    fee,
    paidAt: receipt.paidAt,
    paidOn: ground.paidOn,
  };
  const { id, flowNo } = await insertFlow(act, {
    ...flow,
    payerName: receipt.payerName ?? "",
    channelTradeNo: receipt.channelTradeNo ?? null,
    ...(receipt.outTradeNo && { outTradeNo: receipt.outTradeNo }),
    remark: receipt.remark ?? "",
    fileIds: receipt.fileIds ?? [],
    state: waits ? "pending" : "confirmed",
    ...(waits && { wanted: { wants: receipt.wants, usePrepaid: receipt.usePrepaid, hash } }),
  });
  if (!waits) {
    await post(act, receiptEntries({ ...flow, id }, account));
    await addPrepaid(act, receipt.villageId, receipt.partyId, receipt.amount);
    await carryOut(act, receipt, preview, ground.bills, ground.around, id);
  }
  return { id, flowNo, state: waits ? "pending" : "confirmed", preview };
}
