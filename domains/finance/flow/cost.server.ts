import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { containing } from "../../../platform/kernel/like.ts";
import { anyOf, inScope, seen, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { readBills } from "../bill/bills.queries.ts";
import { costFlow, payables, payFlow } from "./cost.contract.ts";
import { bookCost, payCost } from "./cost.service.ts";
import { noteFlow } from "./flow.service.ts";

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
  serve(costFlow, async (act, { body }) => {
    const { villageId, payeeName, amount, channel, merchantAccountId } = body;
    inScope(act.who, villageId);
    const bill = await bookCost(act, { ...body, dueDate: body.dueDate ?? act.today });
    await act.note({
      kind: "bill",
      recordId: bill.id,
      number: bill.billNo,
      villageId,
      action: "登记成本",
      summary: `应付${payeeName} ${yuan(amount)}`,
    });
    const done = { billId: bill.id, billNo: bill.billNo };
    if (!body.paid || !channel || !merchantAccountId) return { ...done, id: null, flowNo: "" };
    const { channelTradeNo, remark, fileIds, paidAt = act.now.toISOString() } = body;
    const payment = { amount, channel, merchantAccountId, paidAt, channelTradeNo, remark, fileIds };
    const paid = await payCost(act, bill.id, payment);
    await noteFlow(act, paid, "付款", `支付${payeeName} ${yuan(amount)}，账单 ${bill.billNo}`);
    return { ...done, id: paid.id, flowNo: paid.flowNo };
  }),

  serve(payFlow, async (act, { body }) => {
    const { billId, ...payment } = body;
    const [found] = await readBills(act, [billId]);
    const bill = seen(act.who, found);
    const paid = await payCost(act, billId, { ...payment, paidAt: payment.paidAt ?? act.now.toISOString() });
    await noteFlow(act, paid, "付款", `支付 ${yuan(payment.amount)}，账单 ${bill.billNo}`);
    return { billId, billNo: bill.billNo, id: paid.id, flowNo: paid.flowNo };
  }),

  serveRead(payables, async (read, { query }) => {
    const part = containing(query.keyword ?? "");
    const { rows } = await sql<Payable>`
      select b.id, b.bill_no "billNo", b.village_id "villageId", p.name "payeeName", b.title, b.due_date "dueDate",
        b.outstanding
      from bill b join party p on p.id = b.party_id
      where b.village_id = ${anyOf(villagesOf(read.who, query.villageIds))} and b.direction = 'payable'
        and b.outstanding > 0 and (p.name ilike ${part} or b.bill_no ilike ${part} or b.title ilike ${part})
        and (${query.ids ?? null}::bigint[] is null or b.id = any(${query.ids ?? null}::bigint[]))
      order by b.due_date, b.id limit 20`.execute(read.tx);
    return rows;
  }),
];
