import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { accountFor } from "../account/account.service.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { readBills } from "../bill/bills.queries.ts";
import { checkPayable } from "./cost.service.ts";
import { channelFee, type CounterChannel } from "./flow.rules.ts";
import { insertFlow, noteFlow, paidOnOf } from "./insert.service.ts";
import { checkPayer } from "./payee.service.ts";
import { previewPayment } from "./preview.service.ts";

/** A movement of money that nobody recorded when it happened. */
export type Missed = {
  villageId: number;
  direction: "in" | "out";
  /** Whose money came in. */
  partyId?: number | undefined;
  /** Which cost was paid. */
  billId?: number | undefined;
  roomId?: number | null | undefined;
  amount: Fen;
  channel: CounterChannel;
  merchantAccountId: number;
  paidAt: string;
  payerName: string;
  channelTradeNo: string;
  remark: string;
  fileIds: readonly number[];
};

/** Records it as waiting, whatever the channel: a second person must say that the money moved. */
export async function bookMissed(act: Act, missed: Missed): Promise<{ id: number; flowNo: string }> {
  const { villageId, amount, billId, direction } = missed;
  const account = await accountFor(act, missed);
  const paidOn = paidOnOf(act, missed.paidAt);
  const { partyId, roomId, channel, merchantAccountId, paidAt, payerName, channelTradeNo, remark, fileIds } =
    missed;
  const flow = { villageId, direction, amount, channel, merchantAccountId, paidAt, paidOn, payerName };
  const more = { channelTradeNo, remark, fileIds, state: "pending" as const };
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
    await noteFlow(act, { ...made, villageId }, "补录", `补录收款 ${yuan(amount)}，${account.name}`);
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
  await noteFlow(
    act,
    { ...made, villageId },
    "补录",
    `补录付款 ${yuan(amount)}，${account.name}，账单 ${bill.billNo}`,
  );
  return made;
}

/** The payable bill of the same village that the money paid. */
async function costOf(act: Act, { villageId, amount }: Missed, billId: number | undefined): Promise<Bill> {
  const [bill] = billId ? await readBills(act, [billId]) : [];
  if (bill?.villageId !== villageId) throw invalid({ field: "billId", msg: "请选择该门店的应付账单" });
  return checkPayable(bill, amount);
}
