import { billNote } from "../bill/keep.service.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { isHeld } from "../bill/bill.rules.ts";
import { makeBills } from "../bill/bill.service.ts";
import { keepContracts } from "../bill/bills.queries.ts";
import { priced } from "../bill/make.rules.ts";
import { lateFeeTermsOf } from "../setting/setting.service.ts";
import { isCharged } from "../subject/subject.rules.ts";
import { subjectsFor } from "../subject/subject.service.ts";
import { type AddBill, addBill } from "./acts.contract.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** Party, room and contract of a bill by hand belong together, and to the village. */
async function checkPlace(act: Act, body: AddBill): Promise<void> {
  const { villageId } = body;
  const party = await aRow(act, "partyVillage", ["partyId"], { partyId: body.partyId, villageId });
  if (!party) throw notFound();
  if (body.roomId) {
    const room = await aRow(act, "room", ["villageId"], { id: body.roomId });
    if (room?.villageId !== villageId) throw invalid({ field: "roomId", msg: "房间不属于该门店" });
  }
  if (body.contractId) {
    const [contract] = await keepContracts(act, [body.contractId]);
    if (contract?.villageId !== villageId || contract.partyId !== body.partyId)
      throw invalid({ field: "contractId", msg: "合同不属于该客户" });
    if (contract.state === "voided") throw invalid({ field: "contractId", msg: "合同已作废，不能新增账单" });
    if (!contract.bears) throw invalid({ field: "contractId", msg: "合同未签署生效，不能新增账单" });
  }
}

export default [
  serve(addBill, async (act, { body }) => {
    inScope(act.who, body.villageId);
    await checkPlace(act, body);
    const subjects = await subjectsFor(act, [body.villageId]);
    const lines = body.lines.map((line, i) => {
      const subject = subjects.find(body.villageId, line.feeSubjectId);
      const no = (msg: string) => invalid({ field: `lines.${i}.feeSubjectId`, msg });
      if (!isCharged(subject.kind)) throw no("该科目不能用于手工应收");
      if (isHeld(subject.kind) && !body.contractId) throw no("押金须选择合同");
      const amount = priced(line.quantity, line.price);
      const { periodStart, periodEnd, quantity, price } = line;
      return {
        subject: subject.id,
        roomId: body.roomId ?? null,
        amount,
        periodStart,
        periodEnd,
        slices: [{ from: periodStart, to: periodEnd, amount }],
        explain: { rule: "manual", quantity, price },
      };
    });
    const [made] = await makeBills(act, [
      {
        villageId: body.villageId,
        partyId: body.partyId,
        roomId: body.roomId ?? null,
        contractId: body.contractId ?? null,
        title: body.title,
        dueDate: body.dueDate,
        periodStart: lines.map((l) => l.periodStart).toSorted()[0]!,
        periodEnd: lines
          .map((l) => l.periodEnd)
          .toSorted()
          .at(-1)!,
        source: "manual",
        remark: body.remark,
        ...(await lateFeeTermsOf(act, body.villageId, body.contractId)),
        lines,
      },
    ]);
    await act.note(
      billNote(
        { ...made!, villageId: body.villageId },
        "新增",
        `手工新增账单 ${yuan(lines.reduce((sum, l) => sum + l.amount, 0))}`,
      ),
    );
    return made!;
  }),
];
