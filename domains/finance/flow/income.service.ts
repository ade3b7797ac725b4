import type { Day } from "../../../platform/kernel/day.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { makeBills } from "../bill/bill.service.ts";
import { whyNotPeriod } from "../bill/make.rules.ts";
import { readBills } from "../bill/bills.queries.ts";
import { lateFeeTermsOf } from "../setting/setting.service.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { paidOnOf } from "./insert.service.ts";
import { payeeNamed } from "./payee.service.ts";
import type { Receipt } from "./ground.service.ts";
import { previewReceipt } from "./preview.service.ts";
import { receive } from "./receive.service.ts";

export type Income = Omit<Receipt, "wants" | "usePrepaid" | "partyId"> & {
  /** Without one the money is booked on somebody named as the payer, else 散客. */
  partyId?: number | undefined;
  feeSubjectId: number;
  periodStart: Day;
  periodEnd: Day;
};

/** Money for something that was not billed before: makes the bill, puts it on the ledger, takes the money for it. */
export async function bookIncome(act: Act, income: Income) {
  const { villageId, amount } = income;
  const subject = (await subjectsFor(act, [villageId])).find(villageId, income.feeSubjectId);
  if (subject.kind !== "income") throw invalid({ field: "feeSubjectId", msg: "请选择收入类费用科目" });
  const period = whyNotPeriod(income.periodStart, income.periodEnd);
  if (period) throw invalid({ field: "periodEnd", msg: period });
  const partyId =
    income.partyId ??
    (await payeeNamed(act, { villageId, kind: "thirdParty", name: income.payerName || "散客" }));
  const { periodStart, periodEnd } = income;
  const [bill] = await makeBills(act, [
    {
      villageId,
      roomId: income.roomId ?? null,
      contractId: null,
      partyId,
      title: subject.name,
      dueDate: paidOnOf(act, income.paidAt),
      periodStart,
      periodEnd,
      source: "manual",
      ...(await lateFeeTermsOf(act, villageId)),
      lines: [
        {
          subject: subject.id,
          amount,
          periodStart,
          periodEnd,
          slices: [{ from: periodStart, to: periodEnd, amount }],
          explain: { rule: "manual", quantity: "1", price: amount },
        },
      ],
    },
  ]);
  const [made] = await readBills(act, [bill!.id]);
  const wants = made!.lines.map((line) => ({ billId: made!.id, lineId: line.id }));
  const receipt: Receipt = { ...income, partyId, wants, usePrepaid: false };
  const { hash } = await previewReceipt(act, receipt);
  return { ...(await receive(act, receipt, hash)), billId: made!.id, billNo: made!.billNo };
}
