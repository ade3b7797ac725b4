import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { dropExamines } from "../../approval/examine/propose.service.ts";
import { changed } from "../../listing/occupancy/occupancy.service.ts";
import { keepContractMoney } from "../balance/balance.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { BILL_STATUS, type Bill, whyNotVoid } from "./bill.rules.ts";
import { billVoided } from "./bills.contract.ts";
import { lockBills } from "./bills.queries.ts";

/** What an act adds to the kept sums of lines; the sums of their bills follow. */
export type LineChange = {
  billId: number;
  lineId: number;
  adjusted?: Fen;
  settled?: Fen;
  writtenOff?: Fen;
};
/** What a new correction or late-fee line adds to its bill. */
export type BillChange = { billId: number; amount?: Fen; adjusted?: Fen; subjectId?: number };

/** Keeps lines and bills in step after lines were paid, corrected or added. The rows are locked already. */
export async function keepSums(
  act: Act,
  lines: readonly LineChange[],
  bills: readonly BillChange[] = [],
): Promise<void> {
  const { tx } = act;
  if (lines.length)
    await sql`
      update bill_line l set adjusted = l.adjusted + c.adjusted, settled = l.settled + c.settled,
        written_off = l.written_off + c.written_off
      from (
        select "lineId" id, coalesce(sum(adjusted), 0) adjusted, coalesce(sum(settled), 0) settled,
          coalesce(sum("writtenOff"), 0) written_off
        from json_to_recordset(${JSON.stringify(lines)}::json)
          r("lineId" bigint, adjusted bigint, settled bigint, "writtenOff" bigint)
        group by 1) c
      where l.id = c.id`.execute(tx);
  const sums = [
    ...lines.map((c) => ({ billId: c.billId, settled: c.settled, writtenOff: c.writtenOff })),
    ...bills,
  ];
  if (!sums.length) return;
  await sql`
    update bill b set amount = b.amount + c.amount, adjusted = b.adjusted + c.adjusted,
      settled = b.settled + c.settled, written_off = b.written_off + c.written_off,
      subject_ids = case when c.subjects <@ b.subject_ids then b.subject_ids else b.subject_ids || c.subjects end,
      version = b.version + 1, updated_at = ${act.now.toISOString()}, updated_by = ${act.who.operatorId || null}
    from (
      select "billId" id, coalesce(sum(amount), 0) amount, coalesce(sum(adjusted), 0) adjusted,
        coalesce(sum(settled), 0) settled, coalesce(sum("writtenOff"), 0) written_off,
        coalesce(array_agg(distinct "subjectId") filter (where "subjectId" is not null), '{}') subjects
      from json_to_recordset(${JSON.stringify(sums)}::json) r("billId" bigint, amount bigint, adjusted bigint,
        settled bigint, "writtenOff" bigint, "subjectId" bigint)
      group by 1) c
    where b.id = c.id`.execute(tx);
}

/** The last step of every act on bills: contract sums, and the boards that show who owes. */
export async function keepAround(
  act: Act,
  bills: readonly Pick<Bill, "contractId" | "roomId" | "villageId">[],
): Promise<void> {
  await keepContractMoney(
    act,
    bills.map((b) => b.contractId),
  );
  const rooms = new Map(bills.map((b) => [b.roomId, b.villageId]));
  rooms.delete(null);
  await changed(
    act,
    [...rooms].map(([roomId, villageId]) => ({ roomId: roomId!, villageId })),
  );
}

constraintSays("bill_void", { msg: "账单已作废，不能再记账，请刷新后重试" });
constraintSays("bill_void_paid", { msg: "账单已收款或核销，不能作废，请刷新后重试" });

/**
 * Voids bills that nobody has paid: what they posted is mirrored (E05), planned ones post nothing. Refused as a whole
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
      // an opening balance that is taken back was never there, and so it is no movement of its period
      const event = entry.event === "E30" ? "E30" : "E05";
      const seq = count.get(`${event} ${billId}`) ?? (event === "E30" ? 1 : 0);
      count.set(`${event} ${billId}`, seq + 1);
      const as = {
        event: event as "E05" | "E30",
        sourceType: "bill",
        sourceId: billId,
        businessDate: act.today,
        seq,
      };
      return mirrorOf(entry, as);
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
    bills.map((bill) => ({
      kind: "bill",
      recordId: bill.id,
      number: bill.billNo,
      villageId: bill.villageId,
      action: "作废",
      summary: `作废账单：${reason}`,
      before: { status: BILL_STATUS[bill.status][0] },
      after: { status: BILL_STATUS.void[0], reason },
    })),
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
