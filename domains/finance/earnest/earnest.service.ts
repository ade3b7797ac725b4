import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { PayChannel } from "../account/channel.rules.ts";
import {
  type Undoing,
  insertAllocations,
  standing,
  undoAllocations,
} from "../allocation/allocation.service.ts";
import { openLinesOf, planOf } from "../allocation/plan.service.ts";
import { addEarnest, earnestHeld, lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { makeBills, voidBills } from "../bill/bill.service.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { keepAround, keepSums, billNote } from "../bill/keep.service.ts";
import { setOffEntry } from "../bill/posting.rules.ts";
import { noteMoney, readFlow } from "../flow/flow.service.ts";
import { carryOut, depositsOf, previewReceipt, receive, restFlows } from "../flow/receive.service.ts";
import { post } from "../journal/journal.service.ts";

export type NewEarnest = {
  villageId: number;
  roomId: number;
  partyId: number;
  /** The record that the money is for. */
  sourceId: number;
  amount: Fen;
  dueDate: Day;
  title: string;
};

const oneLine = (subject: string, of: NewEarnest) => ({
  villageId: of.villageId,
  roomId: of.roomId,
  contractId: null,
  partyId: of.partyId,
  title: of.title,
  dueDate: of.dueDate,
  periodStart: null,
  periodEnd: null,
  source: "reservation" as const,
  sourceId: of.sourceId,
  graceDays: 0,
  lateFeeRate: "0",
  lateFeeCap: "0",
  lines: [
    {
      subject,
      roomId: of.roomId,
      amount: of.amount,
      periodStart: null,
      periodEnd: null,
      slices: [],
      explain: { rule: "manual", quantity: "1", price: of.amount },
    },
  ],
});

/** A receivable bill for earnest money, on the ledger from its due day. */
export async function billEarnest(act: Act, of: NewEarnest): Promise<{ id: number; billNo: string }> {
  const [bill] = await makeBills(act, [oneLine("earnest", of)]);
  return bill!;
}

/** Takes every lock of an act on earnest money in the one order: balance, flows, bill. */
async function lockEarnest(act: Act, billId: number): Promise<{ bill: Bill; undoing: Undoing[] }> {
  const [seen] = await readBills(act, [billId]);
  if (!seen) throw notFound();
  await lockPrepaid(act, seen.villageId, seen.partyId);
  const paid = await standing(act, { billIds: [billId] });
  const flowIds = paid.flatMap((a) => (a.flowId === null ? [] : [a.flowId]));
  if (flowIds.length)
    await act.tx
      .selectFrom("flow")
      .select("id")
      .where("id", "in", flowIds)
      .orderBy("id")
      .forUpdate()
      .execute();
  const [bill] = await lockBills(act, [billId]);
  return { bill: bill!, undoing: await standing(act, { billIds: [billId] }) };
}

/**
 * Earnest money goes back to the party's 预存款 and its bill is closed: what was paid in full as E15, what was paid in
 * part as E09 with the rest of the bill voided. Answers the flows that are free again.
 */
export async function freeEarnest(
  act: Act,
  billId: number,
  why: string,
): Promise<{ flowId: number | null; amount: Fen }[]> {
  const { bill, undoing } = await lockEarnest(act, billId);
  if (bill.voidedAt && !undoing.length) return [];
  const { subjects } = await aroundOf(act, [bill.villageId]);
  const whole = bill.outstanding === 0 && !bill.voidedAt;
  await undoAllocations(act, undoing, [bill], subjects, whole ? "E15" : "E09");
  if (bill.voidedAt) await keepAround(act, [bill]);
  else if (whole) await close(act, bill, why);
  else await voidBills(act, [billId], why);
  return undoing.map(({ flowId, amount }) => ({ flowId, amount }));
}

/** Its money went on: the bill is owed no more, and what it posted stays. */
async function close(act: Act, bill: Bill, why: string): Promise<void> {
  const now = act.now.toISOString();
  await act.tx
    .updateTable("bill")
    .set({
      voidedAt: now,
      voidedBy: act.who.operatorId || null,
      voidReason: why,
      updatedAt: now,
      version: NEXT_VERSION,
    })
    .where("id", "=", bill.id)
    .execute();
  await act.note(billNote(bill, "定金转出", why));
  await keepAround(act, [bill]);
}

/** Pays the bills of a contract, the first due first, out of flows that were just freed. Answers the fen that were used. */
export async function payFreed(
  act: Act,
  of: { villageId: number; partyId: number; contractId: number },
  freed: readonly { flowId: number | null; amount: Fen }[],
): Promise<Fen> {
  const around = await aroundOf(act, [of.villageId]);
  const open = await act.tx
    .selectFrom("bill")
    .select("id")
    .where("contractId", "=", of.contractId)
    .where("partyId", "=", of.partyId)
    .where("outstanding", ">", 0)
    .where("direction", "=", "receivable")
    .execute();
  const ids = open.map((b) => b.id);
  await lockDeposits(act, depositsOf(await readBills(act, ids), around));
  const left = new Map<number | null, Fen>();
  for (const { flowId, amount } of freed) left.set(flowId, (left.get(flowId) ?? 0) + amount);
  const sources = (await restFlows(act, of, true)).flatMap((flow) => {
    const available = Math.min(flow.available, left.get(flow.flowId) ?? 0);
    return available > 0 ? [{ ...flow, available }] : [];
  });
  const bills = await lockBills(act, ids);
  const wants = await openLinesOf(act, bills, act.today, around);
  const plan = await planOf(
    act,
    bills,
    wants.map(({ billId, lineId }) => ({ billId, lineId })),
    sources,
    around,
  );
  await carryOut(act, of, plan, bills, around);
  return plan.paid;
}

/**
 * Forfeited earnest money is income: a penalty (违约金) is charged and the money that is held pays it (E14). Answers the
 * penalty's bill.
 */
export async function forfeitEarnest(
  act: Act,
  billId: number,
  title: string,
): Promise<{ billNo: string; amount: Fen }> {
  const { bill } = await lockEarnest(act, billId);
  if (bill.voidedAt) throw new Refusal("billVoid", `定金账单 ${bill.billNo} 已作废，请先撤销其收款分配`);
  const amount = await earnestHeld(act, billId);
  if (!amount) throw new Refusal("notAllowed", "没有已收的定金，不能没收");
  const { villageId, roomId, partyId } = bill;
  const of = { villageId, roomId: roomId!, partyId, sourceId: billId, amount, dueDate: act.today, title };
  const [made] = await makeBills(act, [oneLine("penalty", of)]);
  const [penalty] = await lockBills(act, [made!.id]);
  const [id] = await nextIds(act, "allocation", 1);
  const paying = { id: id!, billId: penalty!.id, billLineId: penalty!.lines[0]!.id, villageId, amount };
  await insertAllocations(act, [{ ...paying, flowId: null, date: act.today, undoesId: null }], "earnest");
  await post(act, [setOffEntry(bill, penalty!, id!, amount, act.today)]);
  await addEarnest(act, [{ billId, villageId, amount: -amount }]);
  await keepSums(act, [{ billId: penalty!.id, lineId: penalty!.lines[0]!.id, settled: amount }]);
  return { billNo: made!.billNo, amount };
}

/** Pays one bill out of what its party has prepaid, oldest money first. Answers the fen that were used. */
export async function payFromPrepaid(act: Act, billId: number): Promise<Fen> {
  const [seen] = await readBills(act, [billId]);
  if (!seen) throw notFound();
  const around = await aroundOf(act, [seen.villageId]);
  await lockPrepaid(act, seen.villageId, seen.partyId);
  const sources = await restFlows(act, seen, true);
  const bills = await lockBills(act, [billId]);
  const wants = bills.flatMap((bill) => bill.lines.map((line) => ({ billId: bill.id, lineId: line.id })));
  const plan = await planOf(act, bills, wants, sources, around);
  await carryOut(act, seen, plan, bills, around);
  return plan.paid;
}

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

/** Refuses to take money for a bill again while some that has come is not confirmed: it would be the party's prepayment. */
export async function refuseUnconfirmed(
  act: Act,
  bill: Pick<Bill, "id" | "villageId" | "partyId">,
): Promise<void> {
  const { rows } = await sql<{ flowNo: string }>`
    select flow_no "flowNo" from flow
    where village_id = ${bill.villageId} and party_id = ${bill.partyId} and state in ('pending', 'approving')
      and wanted->'wants' @> ${JSON.stringify([{ billId: bill.id }])}::jsonb limit 1`.execute(act.tx);
  if (rows[0]) throw new Refusal("notAllowed", `流水 ${rows[0].flowNo} 已收这笔定金，待确认，请先确认或驳回`);
}

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
  await noteMoney(
    act,
    await readFlow(act, made.id!),
    made.state === "pending" ? "录入" : "收款",
    `${bill.id ? "收定金" : "转入预存款"} ${yuan(money.amount)}`,
  );
  return { flowId: made.id!, flowNo: made.flowNo, state: made.state };
}
