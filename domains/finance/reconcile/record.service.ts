import { sql } from "kysely";
import type { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { type CounterChannel, NUMBERED } from "../account/channel.rules.ts";
import { patchFlow } from "../flow/approval.service.ts";
import { confirmPaid } from "../refund/pay.service.ts";
import type { payableRefunds, payItem, recordItem } from "./reconcile.contract.ts";
import { whyNotPaid, whyNotRecord } from "./reconcile.rules.ts";
import { compareDays, lockSeen, noteOf } from "./resolve.service.ts";

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
  const { at, number } = await lineOf(act, item.lineId!);
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
    paidAt: at,
    toldLineId: item.lineId!,
  });
  await act.note(noteOf(account, item, "补录流水", `补录 ${made.flowNo}，${yuan(amount)} 元`));
  return made;
}

async function lineOf(act: Act, id: number): Promise<{ at: string; number: string | null }> {
  const { occurredAt, channelTradeNo } = await theRow(
    act,
    "statementLine",
    ["occurredAt", "channelTradeNo"],
    { id },
  );
  return { at: new Date(occurredAt).toISOString(), number: channelTradeNo };
}

/** What is still to be paid of refunds of the caller's stores through the bank. */
const PAYABLE = sql`r.route = 'bank' and r.state in ('toPay', 'paying')`;

/** Refunds that a line of this amount may have paid. */
export async function refundsPaidBy(
  read: Read,
  { keyword = "", ids, amount }: z.output<typeof payableRefunds.query>,
) {
  const part = containing(keyword);
  const { rows } = await sql<{ id: number; refundNo: string; payeeName: string }>`
    select r.id, r.refund_no "refundNo", r.payee_name "payeeName" from refund r
    where ${PAYABLE} and r.village_id = ${anyOf(read.who.villages)} and r.amount - r.paid = ${amount}
      and (${ids ?? null}::bigint[] is null or r.id = any(${ids ?? null}::bigint[]))
      and (r.refund_no ilike ${part} or r.payee_name ilike ${part}) order by r.id limit 20`.execute(read.tx);
  return rows;
}

/** The bank's line says that a refund is paid: booked with the line in place of a slip, and put beside it. */
export async function payByLine(act: Act, id: number, of: z.output<typeof payItem.body>) {
  if (!act.who.permits.has("#24401")) throw forbidden();
  const { account, item } = await lockSeen(act, id, of.version);
  const why = whyNotPaid({ ...item, accountKind: account.kind });
  if (why) throw new Refusal("notAllowed", why);
  const amount = -item.theirs!;
  const [refund] = await refundsPaidBy(act, { ids: [of.refundId], amount });
  if (!refund) throw invalid({ field: "refundId", msg: "请选择未付金额与流水一致的银行退款" });
  const { version } = await theRow(act, "refund", ["version"], { id: refund.id });
  const { flowNo } = await confirmPaid(act, refund.id, {
    version,
    merchantAccountId: account.id,
    paidAt: (await lineOf(act, item.lineId!)).at,
    channelTradeNo: "",
    remark: of.note,
    fileIds: [],
    toldLineId: item.lineId!,
  });
  await act.note(
    noteOf(account, item, "确认退款", `退款 ${refund.refundNo}，${yuan(amount)} 元：${of.note}`),
  );
  await compareDays(act, account, [item.day]);
  return { flowNo };
}
