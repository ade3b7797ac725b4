import { z } from "zod";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { accountFor, checkCash } from "../account/account.service.ts";
import type { CounterChannel } from "../account/channel.rules.ts";
import { addPrepaid } from "../balance/balance.service.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { lockBills, readBills } from "../bill/bills.queries.ts";
import { post } from "../journal/journal.service.ts";
import { checkPayer } from "../payer/payer.service.ts";
import {
  type Preview,
  type Receipt,
  carryOut,
  changed,
  lockGround,
  previewOn,
  previewPayment,
  readGround,
} from "./receive.service.ts";
import { ownerOf } from "./allocate.service.ts";
import { checkOwed, checkPayable, settleCost } from "./booking.service.ts";
import { flowTold } from "./flow.contract.ts";
import { FLOW_MOVES, channelFee, paymentEntry, receiptEntries } from "./flow.rules.ts";
import {
  type Flow,
  counterChannelOf,
  insertFlow,
  lockFlow,
  noteMoney,
  paidOnOf,
  readFlow,
} from "./flow.service.ts";

/** A movement of money that nobody recorded when it happened. */
export type Missed = {
  villageId: number;
  direction: "in" | "out";
  /** Whose money came in. */
  partyId?: number | undefined;
  /** Which cost was paid. */
  billId?: number | undefined;
  /** The cost itself is new and waits with its payment. */
  costWaits?: boolean;
  roomId?: number | null | undefined;
  amount: Fen;
  channel: CounterChannel;
  merchantAccountId: number;
  paidAt: string;
  payerName: string;
  channelTradeNo: string;
  remark: string;
  fileIds: readonly number[];
  /** The line of a statement that told of it: the two are one movement once it is confirmed. */
  toldLineId?: number | undefined;
};

/** Records it as waiting, whatever the channel: a second person must say that the money moved. */
export async function bookMissed(act: Act, missed: Missed): Promise<{ id: number; flowNo: string }> {
  const { villageId, amount, billId, direction } = missed;
  const account = await accountFor(act, missed);
  const paidOn = paidOnOf(act, missed.paidAt);
  const { partyId, roomId, channel, merchantAccountId, paidAt, payerName } = missed;
  const { channelTradeNo, remark, fileIds, toldLineId } = missed;
  const flow = { villageId, direction, amount, channel, merchantAccountId, paidAt, paidOn, payerName };
  const more = { channelTradeNo, remark, fileIds, toldLineId, state: "pending" as const };
  if (direction === "in") {
    await checkPayer(act, villageId, partyId, roomId);
    const made = await insertFlow(act, {
      ...flow,
      ...more,
      kind: "receipt",
      partyId: partyId!,
      roomId: roomId ?? null,
      fee: channelFee(amount, account.feeRate, account.feeCap),
    });
    const noted = { ...made, villageId, partyId: partyId!, merchantAccountId };
    await noteMoney(act, noted, "补录", `补录收款 ${yuan(amount)}`, remark);
    return made;
  }
  const bill = await costOf(act, missed, billId);
  const plan = { villageId, partyId: bill.partyId, amount, fee: 0, paidOn };
  const { rows, hash } = await previewPayment(act, plan, [bill]);
  const wants = rows.map((row) => ({ billId: row.billId, lineId: row.lineId }));
  const made = await insertFlow(act, {
    ...flow,
    ...more,
    kind: "cost",
    partyId: bill.partyId,
    roomId: bill.roomId,
    fee: 0,
    wanted: { wants, usePrepaid: false, hash },
  });
  const noted = { ...made, villageId, partyId: bill.partyId, merchantAccountId };
  await noteMoney(act, noted, "补录", `补录付款 ${yuan(amount)}，账单 ${bill.billNo}`, remark);
  return made;
}

/** The payable bill of the same village that the money paid. */
async function costOf(
  act: Act,
  { villageId, amount, costWaits }: Missed,
  billId: number | undefined,
): Promise<Bill> {
  const [bill] = billId ? await readBills(act, [billId]) : [];
  if (bill?.villageId !== villageId) throw invalid({ field: "billId", msg: "请选择该门店的应付账单" });
  return costWaits ? checkPayable(bill, amount) : checkOwed(checkPayable(bill, amount));
}

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

/**
 * What confirming a waiting flow would do now. The money has come, so nothing that was wanted keeps it out: what cannot
 * be paid any more goes to the prepaid balance.
 */
export async function previewConfirm(read: Read, flowId: number): Promise<Preview> {
  const flow = await readFlow(read, flowId);
  FLOW_MOVES.next("confirm", flow);
  return previewEntry(read, flow);
}

/** The same of a flow in any state. */
export async function previewEntry(read: Read, flow: Flow): Promise<Preview> {
  if (flow.direction === "out") {
    const bill = payableFor(await readBills(read, wantedBills(flow)), flow);
    return previewPayment(read, flow, [bill]);
  }
  const waiting = ownerOf(flow)?.waiting;
  if (waiting) {
    await waiting.check(read, flow);
    return previewPayment(read, flow, [], "E28");
  }
  const receipt = receiptOf(flow);
  return previewOn(read, receipt, await readGround(read, receipt), flow.fee);
}

/** The bill that money out pays; what was voided since is named. */
function payableFor([bill]: readonly Bill[], flow: Flow): Bill {
  if (bill?.voidedAt)
    throw new Refusal("billVoid", `账单 ${bill.billNo} 已作废，不能付款，请驳回该流水，重新登记成本后付款`);
  return checkPayable(bill, flow.amount);
}

export const wantedBills = (flow: Flow) => receiptOf(flow).wants.map((w) => w.billId);

/**
 * The second person says the money is there: it is posted, and pays what it was booked for. Who booked a flow cannot
 * confirm it, unless an approval has looked at it (`agreed`). When the bills changed since, the new preview comes back once and must be confirmed by its hash.
 */
export async function confirmFlow(act: Act, flowId: number, hash?: string, agreed = false): Promise<Flow> {
  const seen = await readFlow(act, flowId);
  if (seen.status === "confirmed") throw new Refusal("alreadyConfirmed", "流水已确认");
  FLOW_MOVES.next("confirm", seen);
  if (!agreed && seen.createdBy !== null && seen.createdBy === act.who.operatorId)
    throw new Refusal("sameOperator", "录入人不能确认自己的流水");
  if (seen.direction === "out") return confirmPayment(act, seen, hash ?? receiptOf(seen).hash);
  const waiting = ownerOf(seen)?.waiting;
  if (waiting) return waiting.confirm(act, flowId);
  const receipt = receiptOf(seen);
  const ground = await lockGround(act, receipt);
  const flow = await lockFlow(act, flowId);
  if (flow.status !== "pending") throw new Refusal("alreadyConfirmed", "流水已确认");
  const preview = await previewOn(act, receipt, ground, flow.fee);
  if (receipt.wants.length && preview.hash !== (hash ?? receipt.hash)) throw changed(preview);
  await markConfirmed(act, flowId);
  await post(act, receiptEntries(flow, flow));
  await addPrepaid(act, receipt.villageId, receipt.partyId, flow.amount);
  await carryOut(act, receipt, preview, ground.bills, ground.around, flowId);
  return flow;
}

/** Money out that was booked afterwards: it left its account and pays the cost it was booked for. */
async function confirmPayment(act: Act, seen: Flow, hash: string): Promise<Flow> {
  const flow = await lockFlow(act, seen.id);
  if (flow.status !== "pending") throw new Refusal("alreadyConfirmed", "流水已确认");
  const bill = payableFor(await lockBills(act, wantedBills(flow)), flow);
  const preview = await previewPayment(act, flow, [bill]);
  if (preview.hash !== hash) throw changed(preview);
  await checkCash(act, { id: flow.merchantAccountId, kind: flow.kind }, flow.amount);
  await markConfirmed(act, flow.id);
  await post(act, [paymentEntry(flow, flow)]);
  await settleCost(act, flow, bill, flow.amount);
  return flow;
}

/** Writes that the money of a locked flow is there, and how much of it is used by that; its entries are the caller's. */
export async function markConfirmed(act: Act, flowId: number, allocated: Fen = 0): Promise<void> {
  const now = act.now.toISOString();
  const { toldLineId } = await act.tx
    .updateTable("flow")
    .set({
      state: "confirmed",
      allocated,
      confirmedAt: now,
      confirmedBy: act.who.operatorId || null,
      updatedAt: now,
      version: NEXT_VERSION,
    })
    .where("id", "=", flowId)
    .returning("toldLineId")
    .executeTakeFirstOrThrow();
  if (toldLineId) await act.emit(flowTold, { lineId: toldLineId });
}

/** Says that the money of a waiting flow never came. */
export async function rejectFlow(act: Act, flowId: number, reason: string): Promise<Flow> {
  const flow = await lockFlow(act, flowId);
  FLOW_MOVES.next("reject", flow);
  await act.tx
    .updateTable("flow")
    .set({ state: "rejected", reverseReason: reason, version: NEXT_VERSION })
    .where("id", "=", flowId)
    .execute();
  return flow;
}
