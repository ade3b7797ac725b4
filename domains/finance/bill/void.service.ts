import { Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { dropExamines } from "../../approval/examine/propose.service.ts";
import type { EventCode } from "../journal/journal.rules.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { BILL_STATUS, whyNotVoid } from "./bill.rules.ts";
import { lockBills } from "./bills.queries.ts";
import { keepAround, billNote } from "./keep.service.ts";
import { billVoided } from "./events.contract.ts";

constraintSays("bill_void", { msg: "账单已作废，不能再记账，请刷新后重试" });
constraintSays("bill_void_invoiced", { msg: "账单已开票或正在开票，不能作废，请先红冲或取消开票申请" });
constraintSays("bill_void_paid", { msg: "账单已收款或核销，不能作废，请刷新后重试" });

/** What is mirrored under its own event: an opening balance that was never there is no movement of its period, a cost is none of the income side. */
const OWN: readonly EventCode[] = ["E25", "E30"];

/**
 * Voids bills that nobody has paid: what they posted is mirrored (E05; a cost E25), planned ones post nothing. Refused as a whole
 * when one of them is paid, written off or invoiced.
 */
export async function voidBills(act: Act, ids: readonly number[], reason: string): Promise<void> {
  const bills = await lockBills(act, ids);
  for (const bill of bills) {
    const why = whyNotVoid(bill);
    if (why) throw new Refusal("notAllowed", bills.length > 1 ? `${bill.billNo}：${why}` : why);
  }
  const lineIds = bills.flatMap((bill) => bill.lines.map((line) => line.id));
  const posted = [
    ...(await entriesOf(act, { sourceType: "bill", sourceIds: bills.map((b) => b.id) })),
    ...(await entriesOf(act, { sourceType: "billLine", sourceIds: lineIds })),
  ];
  const billOfLine = new Map(bills.flatMap((bill) => bill.lines.map((line) => [line.id, bill.id])));
  const count = new Map<string, number>();
  await post(
    act,
    posted.map((entry) => {
      const billId = entry.sourceType === "bill" ? entry.sourceId : billOfLine.get(entry.sourceId)!;
      const own = OWN.includes(entry.event);
      const event = own ? entry.event : "E05";
      const seq = count.get(`${event} ${billId}`) ?? (own ? 1 : 0);
      count.set(`${event} ${billId}`, seq + 1);
      return mirrorOf(entry, { event, sourceType: "bill", sourceId: billId, businessDate: act.today, seq });
    }),
  );
  await act.tx
    .updateTable("bill")
    .set({
      voidedAt: act.now.toISOString(),
      voidedBy: act.who.operatorId || null,
      voidReason: reason,
      ...stamp(act),
      version: NEXT_VERSION,
    })
    .where("id", "in", [...bills.map((b) => b.id), 0])
    .execute();
  await act.note(
    bills.map((bill) =>
      billNote(bill, "作废", `作废账单：${reason}`, {
        before: { status: BILL_STATUS[bill.status][0] },
        after: { status: BILL_STATUS.void[0], reason },
      }),
    ),
  );
  await keepAround(act, bills);
  // whatever else waited for approval on them has lost its object
  await dropExamines(
    act,
    "bill",
    bills.map((b) => b.id),
    `账单已作废：${reason}`,
  );
  await act.emit(billVoided, { billIds: bills.map((b) => b.id) });
}
