import { yuan } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import { inScope, seen } from "../../../platform/server/scope.ts";
import { serve, serveRead } from "../../../platform/server/serve.ts";
import { readBills } from "../bill/bills.queries.ts";
import { bookCost, payCost } from "./cost.service.ts";
import { bookIncome } from "./income.service.ts";
import { noteFlow } from "./insert.service.ts";
import { checkPayer } from "./payee.service.ts";
import { costFlow, incomeFlow, previewFlow, receiveFlow } from "./receive.contract.ts";
import { previewReceipt, receive } from "./receive.service.ts";

export default [
  serveRead(previewFlow, async (read, { body }) => {
    inScope(read.who, body.villageId);
    await checkPayer(read, body.villageId, body.partyId);
    return previewReceipt(read, body);
  }),

  serve(receiveFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    await checkPayer(act, body.villageId, body.partyId);
    const { previewHash, ...receipt } = body;
    const made = await receive(act, receipt, previewHash);
    const { id, preview } = made;
    if (id !== null)
      await noteFlow(
        act,
        { id, flowNo: made.flowNo, villageId: body.villageId },
        made.state === "pending" ? "录入" : "收款",
        `收款 ${yuan(body.amount)}，分配 ${yuan(preview.paid - preview.prepaidUsed)}，转入预存款 ${yuan(preview.toPrepaid)}`,
      );
    return made;
  }),

  serve(incomeFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    if (body.partyId) await checkPayer(act, body.villageId, body.partyId);
    const made = await bookIncome(act, body);
    await noteFlow(
      act,
      { id: made.id!, flowNo: made.flowNo, villageId: body.villageId },
      "登记收入",
      `登记收入 ${yuan(body.amount)}，账单 ${made.billNo}`,
    );
    return made;
  }),

  serve(costFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    if (body.billId)
      seen(
        act.who,
        (await readBills(act, [body.billId])).find((b) => b.direction === "payable"),
      );
    const { payment, remark } = body;
    if (!payment && !body.dueDate) throw invalid({ field: "dueDate", msg: "请选择应付日" });
    const bill = body.billId
      ? (await readBills(act, [body.billId]))[0]!
      : await bookCost(act, { ...body, dueDate: body.dueDate ?? act.today });
    if (!body.billId)
      await act.note({
        kind: "bill",
        recordId: bill.id,
        number: bill.billNo,
        villageId: body.villageId,
        action: "登记成本",
        summary: `${body.payeeName} ${yuan(body.amount)}`,
      });
    const done = { billId: bill.id, billNo: bill.billNo };
    if (!payment) return { ...done, id: null, flowNo: "" };
    const paid = await payCost(act, bill.id, {
      ...payment,
      amount: body.amount,
      remark: payment.remark || remark,
    });
    await noteFlow(act, paid, "付款", `支付 ${body.payeeName} ${yuan(body.amount)}，账单 ${bill.billNo}`);
    return { ...done, id: paid.id, flowNo: paid.flowNo };
  }),
];
