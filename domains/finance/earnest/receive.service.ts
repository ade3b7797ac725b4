import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { readBills } from "../bill/bills.queries.ts";
import type { PayChannel } from "../account/channel.rules.ts";
import { noteFlow } from "../flow/flow.service.ts";
import { previewReceipt, receive } from "../flow/receive.service.ts";

export type Money = {
  amount: Fen;
  channel: PayChannel;
  merchantAccountId: number;
  paidAt: string;
  payerName?: string | undefined;
  channelTradeNo?: string | undefined;
  /** Our number at the channel that told of the payment. */
  outTradeNo?: string | undefined;
  remark?: string | undefined;
  fileIds?: readonly number[] | undefined;
};

/** A bill as whoever is about to take its money looks at it. */
export const earnestBill = async (read: Read, billId: number): Promise<Bill | undefined> =>
  (await readBills(read, [billId]))[0];

type For = Pick<Bill, "villageId" | "partyId" | "roomId"> &
  Partial<Pick<Bill, "id" | "lines" | "outstanding">>;

/** Takes money for one bill as it stands, or, without one, for the party's prepaid balance. */
export async function receiveWhole(
  act: Act,
  bill: For,
  money: Money,
): Promise<{ flowId: number; flowNo: string; state: "pending" | "confirmed" }> {
  const { villageId, partyId, roomId } = bill;
  const receipt = {
    ...money,
    villageId,
    partyId,
    roomId,
    wants: bill.id ? bill.lines!.map((line) => ({ billId: bill.id!, lineId: line.id })) : [],
    usePrepaid: false,
  };
  const { hash } = await previewReceipt(act, receipt);
  const made = await receive(act, receipt, hash);
  if (made.state === "confirmed" && bill.id && made.preview.paid < money.amount)
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认");
  await noteFlow(
    act,
    { id: made.id!, flowNo: made.flowNo, villageId },
    made.state === "pending" ? "录入" : "收款",
    bill.id ? "收定金" : "转入预存款",
  );
  return { flowId: made.id!, flowNo: made.flowNo, state: made.state };
}
