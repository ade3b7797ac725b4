import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { accountFor, checkCash } from "../account/account.service.ts";
import type { CounterChannel } from "../account/channel.rules.ts";
import { allot, inOrder } from "../allocation/allocation.rules.ts";
import { allocateCost } from "../allocation/allocation.service.ts";
import { type Bill, whyNotOwed, whyNotPay } from "../bill/bill.rules.ts";
import { makeBills } from "../bill/bill.service.ts";
import { lockBills, readBills } from "../bill/bills.queries.ts";
import { billNote } from "../bill/keep.service.ts";
import { whyNotPeriod } from "../bill/make.rules.ts";
import { post } from "../journal/journal.service.ts";
import { payeeNamed } from "../payer/payer.service.ts";
import { lateFeeTermsOf } from "../setting/setting.service.ts";
import type { Subject } from "../subject/subject.rules.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { costPaid } from "./flow.contract.ts";
import { paymentEntry } from "./flow.rules.ts";
import { insertFlow, paidOnOf } from "./flow.service.ts";
import { type Receipt, previewReceipt, receive } from "./receive.service.ts";

export type Income = Omit<Receipt, "wants" | "usePrepaid" | "partyId"> & {
  /** Without one the money is booked on somebody named as the payer, else 散客. */
  partyId?: number | undefined;
  feeSubjectId: number;
  periodStart: Day;
  periodEnd: Day;
};

type Billed = { villageId: number; amount: Fen; periodStart: Day; periodEnd: Day };
/** What is the same of every bill that is made for one movement of money: one line, over one period. */
const billed = (of: Billed, { id, name }: Pick<Subject, "id" | "name">) => {
  const { villageId, amount, periodStart, periodEnd } = of;
  const slices = [{ from: periodStart, to: periodEnd, amount }];
  const explain = { rule: "manual" as const, quantity: "1", price: amount };
  const lines = [{ subject: id, amount, periodStart, periodEnd, slices, explain }];
  return { villageId, contractId: null, title: name, periodStart, periodEnd, lines };
};

/** Money for something that was not billed before: makes the bill, puts it on the ledger, takes the money for it. */
export async function bookIncome(act: Act, income: Income) {
  const { villageId } = income;
  const subject = (await subjectsFor(act, [villageId])).find(villageId, income.feeSubjectId);
  if (subject.kind !== "income") throw invalid({ field: "feeSubjectId", msg: "请选择收入类费用科目" });
  const period = whyNotPeriod(income.periodStart, income.periodEnd);
  if (period) throw invalid({ field: "periodEnd", msg: period });
  const partyId =
    income.partyId ??
    (await payeeNamed(act, { villageId, kind: "thirdParty", name: income.payerName || "散客" }));
  const [bill] = await makeBills(act, [
    {
      ...billed(income, subject),
      partyId,
      roomId: income.roomId ?? null,
      dueDate: paidOnOf(act, income.paidAt),
      source: "manual",
      ...(await lateFeeTermsOf(act, villageId)),
    },
  ]);
  const [made] = await readBills(act, [bill!.id]);
  const wants = made!.lines.map((line) => ({ billId: made!.id, lineId: line.id }));
  const receipt: Receipt = { ...income, partyId, wants, usePrepaid: false };
  const { hash } = await previewReceipt(act, receipt);
  return { ...(await receive(act, receipt, hash)), billId: made!.id, billNo: made!.billNo };
}

export type Cost = {
  villageId: number;
  payeeName: string;
  feeSubjectId: number;
  periodStart: Day;
  periodEnd: Day;
  amount: Fen;
  dueDate: Day;
  remark?: string | undefined;
  /** Somebody has to agree first: until then nothing is owed. */
  waits?: boolean;
};

/** A cost that is owed from now on: a payable bill (E25), or its plan while it waits. */
export async function bookCost(act: Act, cost: Cost): Promise<{ id: number; billNo: string }> {
  const { villageId, periodStart, periodEnd } = cost;
  const subject = (await subjectsFor(act, [villageId])).find(villageId, cost.feeSubjectId);
  if (subject.kind !== "cost") throw invalid({ field: "feeSubjectId", msg: "请选择成本科目" });
  const period = whyNotPeriod(periodStart, periodEnd, "归属期");
  if (period) throw invalid({ field: "periodEnd", msg: period });
  const partyId = await payeeNamed(act, { villageId, kind: "supplier", name: cost.payeeName });
  const [bill] = await makeBills(act, [
    {
      ...billed(cost, subject),
      partyId,
      roomId: null,
      dueDate: cost.dueDate < act.today ? act.today : cost.dueDate,
      source: "cost",
      direction: "payable",
      waits: cost.waits ?? false,
      graceDays: 0,
      lateFeeRate: "0",
      lateFeeCap: "0",
      remark: cost.remark ?? "",
    },
  ]);
  return bill!;
}

export type Payment = {
  amount: Fen;
  channel: CounterChannel;
  merchantAccountId: number;
  paidAt: string;
  channelTradeNo?: string | undefined;
  remark?: string | undefined;
  fileIds?: readonly number[] | undefined;
};

/** Pays (part of) a payable bill out of an account (E26). */
export async function payCost(
  act: Act,
  billId: number,
  payment: Payment,
): Promise<{ id: number; flowNo: string; villageId: number }> {
  const bill = checkOwed(checkPayable((await lockBills(act, [billId]))[0], payment.amount));
  const { villageId, partyId } = bill;
  const account = await accountFor(act, { ...payment, villageId, direction: "out" });
  await checkCash(act, account, payment.amount);
  const flow = {
    direction: "out" as const,
    kind: "cost" as const,
    villageId,
    partyId,
    roomId: bill.roomId,
    channel: payment.channel,
    merchantAccountId: payment.merchantAccountId,
    amount: payment.amount,
    fee: 0,
    paidAt: payment.paidAt,
    paidOn: paidOnOf(act, payment.paidAt),
    channelTradeNo: payment.channelTradeNo ?? null,
    remark: payment.remark ?? "",
    fileIds: payment.fileIds ?? [],
    state: "confirmed" as const,
  };
  const made = await insertFlow(act, flow);
  await post(act, [paymentEntry({ ...flow, id: made.id }, account)]);
  await settleCost(act, { id: made.id, villageId, paidOn: flow.paidOn }, bill, payment.amount);
  return { ...made, villageId };
}

/** Lays money that left on the lines of a locked payable bill, in their order. */
export async function settleCost(
  act: Act,
  flow: { id: number; villageId: number; paidOn: Day },
  bill: Bill,
  amount: Fen,
): Promise<void> {
  const open = bill.lines.map((line) => ({
    billId: bill.id,
    lineId: line.id,
    dueDate: bill.dueDate,
    owed: line.outstanding,
    lateFee: false,
    priority: 0,
  }));
  const { paying } = allot(inOrder(open, []), amount);
  await allocateCost(
    act,
    flow,
    paying.map((pay) => ({ ...pay, lineId: pay.lineId! })),
  );
  await act.note(billNote(bill, "付款", `付款 ${yuan(amount)}`));
  await act.emit(costPaid, { billId: bill.id });
}

/** Refuses to pay what nobody has agreed to yet. */
export function checkOwed(bill: Bill): Bill {
  const why = whyNotOwed(bill);
  if (why) throw new Refusal("notAllowed", why);
  return bill;
}

/** Refuses what cannot be paid out for a bill, with the sentence for whoever typed it. */
export function checkPayable(bill: Bill | undefined, amount: Fen): Bill {
  if (!bill || bill.direction !== "payable") throw notFound();
  const why = whyNotPay(bill);
  if (why) throw new Refusal("notAllowed", why);
  if (amount > bill.outstanding) throw invalid({ field: "amount", msg: "付款金额超过未付金额" });
  return bill;
}
