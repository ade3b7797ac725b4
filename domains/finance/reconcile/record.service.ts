import { sql } from "kysely";
import type { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { type CounterChannel, NUMBERED } from "../account/channel.rules.ts";
import { patchFlow } from "../flow/approval.service.ts";
import type { recordItem } from "./reconcile.contract.ts";
import { whyNotRecord } from "./reconcile.rules.ts";
import { lockSeen, noteOf } from "./resolve.service.ts";

type Asked = z.output<typeof recordItem.body>;

/**
 * Records a payment that only the statement knows. Account, amount, moment and number are the line's; it waits for a
 * second person like any flow that is recorded afterwards, and is the line's pair once it is confirmed.
 */
export async function recordLine(act: Act, id: number, of: Asked) {
  if (!act.who.permits.has("102.add")) throw forbidden();
  inScope(act.who, of.villageId);
  const { account, item } = await lockSeen(act, id, of.version);
  const why = whyNotRecord({ ...item, accountKind: account.kind });
  if (why) throw new Refusal("notAllowed", why);
  const { direction } = item;
  if (direction === "in" && !of.partyId) throw invalid({ field: "partyId", msg: "请选择客户" });
  if (direction === "out" && !of.billId) throw invalid({ field: "billId", msg: "请选择应付账单" });
  const { rows } = await sql<{ at: string; number: string | null }>`
    select occurred_at at, channel_trade_no number from statement_line where id = ${item.lineId}`.execute(
    act.tx,
  );
  const { at, number } = rows[0]!;
  // statements are of these kinds alone
  const channel = (account.kind === "bank" ? "bankTransfer" : account.kind) as CounterChannel;
  // numbers of banks are their own alone: two of them may count alike
  const channelTradeNo = NUMBERED.includes(channel) ? (number ?? of.channelTradeNo) : "";
  if (NUMBERED.includes(channel) && !channelTradeNo)
    throw invalid({ field: "channelTradeNo", msg: "请输入渠道流水号" });
  const { version: _, ...given } = of;
  const amount = Math.abs(item.theirs!);
  const made = await patchFlow(act, {
    ...given,
    direction,
    amount,
    channel,
    channelTradeNo,
    merchantAccountId: account.id,
    paidAt: new Date(at).toISOString(),
    toldLineId: item.lineId!,
  });
  await act.note(noteOf(account, item, "补录流水", `补录 ${made.flowNo}，${yuan(amount)} 元`));
  return made;
}
