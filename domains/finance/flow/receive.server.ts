import { billNote } from "../bill/keep.service.ts";
import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { containing } from "../../../platform/kernel/texts/like.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope, seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { readBills } from "../bill/bills.queries.ts";
import { isOpen } from "../bill/overdue.service.ts";
import { bookingDay } from "../journal/journal.service.ts";
import { checkPayer, noteParty } from "../payer/payer.service.ts";
import { costWaits, proposeCost, proposePayment } from "./approval.service.ts";
import { bookCost, bookIncome, payCost } from "./booking.service.ts";
import { costFlow, payFlow, payables } from "./flow.contract.ts";
import { noteFlow, noteMoney, readFlow } from "./flow.service.ts";
import { incomeFlow, postingDay, previewFlow, receiveFlow } from "./receive.contract.ts";
import { type Preview, previewReceipt, receive } from "./receive.service.ts";

const timed = <B extends { paidAt?: string | undefined }>(read: Read, body: B) => ({
  ...body,
  paidAt: body.paidAt ?? read.now.toISOString(),
});

/** What a receipt did, in one sentence. */
function told({ amount, paid, prepaidUsed, toPrepaid }: Preview): string {
  const parts = [
    amount > 0 && `收款 ${yuan(amount)}`,
    paid > 0 && `分配 ${yuan(paid)}`,
    prepaidUsed > 0 && `使用预存款 ${yuan(prepaidUsed)}`,
    toPrepaid > 0 && `转入预存款 ${yuan(toPrepaid)}`,
  ];
  return parts.filter(Boolean).join("，");
}

async function noteReceipt(
  act: Act,
  made: { id: number | null; flowNo: string; state: string; preview: Preview },
  of: { villageId: number; partyId: number },
): Promise<void> {
  const action = made.state === "pending" ? "录入" : made.id === null ? "使用预存款" : "收款";
  const { id, flowNo, preview } = made;
  if (id !== null) await noteFlow(act, { id, flowNo, villageId: of.villageId }, action, told(preview));
  await noteParty(act, of, action, [flowNo, told(preview)].filter(Boolean).join(" "));
}

type Payable = {
  id: number;
  billNo: string;
  villageId: number;
  payeeName: string;
  title: string;
  dueDate: string;
  outstanding: number;
};

export default [
  serveRead(previewFlow, async (read, { body }) => {
    inScope(read.who, body.villageId);
    await checkPayer(read, body.villageId, body.partyId, body.roomId);
    return previewReceipt(read, timed(read, body));
  }),

  serve(receiveFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    await checkPayer(act, body.villageId, body.partyId, body.roomId);
    const { previewHash, exact, ...receipt } = body;
    const made = await receive(act, timed(act, receipt), previewHash);
    if (exact && made.preview.toPrepaid > 0)
      throw new Refusal("aboveOwed", "收款金额大于应收，请确认转入预存款", 409, { data: made.preview });
    await noteReceipt(act, made, body);
    return made;
  }),

  serve(incomeFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    await checkPayer(act, body.villageId, body.partyId, body.roomId);
    const made = await bookIncome(act, timed(act, body));
    const flow = await readFlow(act, made.id!);
    await noteMoney(act, flow, "登记收入", `登记收入 ${yuan(body.amount)}，账单 ${made.billNo}`);
    return made;
  }),

  serveRead(postingDay, async (read, { query }) => {
    const villageIds = [inScope(read.who, query.villageId)];
    const event = query.direction === "in" ? "E06" : "E26";
    return { day: await bookingDay(read, { event, businessDate: query.day, villageIds }) };
  }),
  serve(costFlow, async (act, { body }) => {
    const { villageId, payeeName, amount, channel, merchantAccountId } = body;
    inScope(act.who, villageId);
    const waits = await costWaits(act, villageId, amount);
    const bill = await bookCost(act, { ...body, waits, dueDate: body.dueDate ?? act.today });
    await act.note(billNote({ ...bill, villageId }, "登记成本", `应付${payeeName} ${yuan(amount)}`));
    const done = { billId: bill.id, billNo: bill.billNo };
    const { channelTradeNo, remark, fileIds, paidAt = act.now.toISOString() } = body;
    if (!body.paid || !channel || !merchantAccountId) {
      const reason = remark || `应付${payeeName}`;
      const waiting = waits ? await proposeCost(act, { id: bill.id, villageId, reason, fileIds }) : null;
      await attachFiles(act, fileIds, {
        targetKind: "bill",
        targetId: bill.id,
        villageId,
        needs: "26.get",
      });
      return { ...done, id: null, flowNo: "", waiting };
    }
    const payment = { amount, channel, merchantAccountId, paidAt, channelTradeNo, remark, fileIds };
    const entry = { ...payment, villageId, billId: bill.id, payerName: "", costWaits: waits };
    const proposed = await proposePayment(act, entry);
    if (proposed) return { ...done, ...proposed };
    const paid = await payCost(act, bill.id, payment);
    const flow = await readFlow(act, paid.id);
    await noteMoney(act, flow, "付款", `支付${payeeName} ${yuan(amount)}，账单 ${bill.billNo}`);
    return { ...done, id: paid.id, flowNo: paid.flowNo, waiting: null };
  }),

  serve(payFlow, async (act, { body }) => {
    const { billId, ...payment } = body;
    const [found] = await readBills(act, [billId]);
    const bill = seen(act.who, found);
    const timedPayment = timed(act, payment);
    const { villageId } = bill;
    const waits = await proposePayment(act, { ...timedPayment, villageId, billId, payerName: "" });
    if (waits) return { billId, billNo: bill.billNo, ...waits };
    const paid = await payCost(act, billId, timedPayment);
    const flow = await readFlow(act, paid.id);
    await noteMoney(act, flow, "付款", `支付 ${yuan(payment.amount)}，账单 ${bill.billNo}`);
    return { billId, billNo: bill.billNo, id: paid.id, flowNo: paid.flowNo, waiting: null };
  }),

  serveRead(payables, async (read, { query }) => {
    const part = containing(query.keyword ?? "");
    const { rows } = await sql<Payable>`
      select b.id, b.bill_no "billNo", b.village_id "villageId", p.name "payeeName", b.title, b.due_date "dueDate",
        b.outstanding
      from bill b join party p on p.id = b.party_id
      where b.village_id = ${anyOf(villagesOf(read.who, query.villageIds))} and b.direction = 'payable'
        and ${isOpen} and (p.name ilike ${part} or b.bill_no ilike ${part} or b.title ilike ${part})
        and (${query.ids ?? null}::bigint[] is null or b.id = any(${query.ids ?? null}::bigint[]))
      order by b.due_date, b.id limit 20`.execute(read.tx);
    return rows;
  }),
];
