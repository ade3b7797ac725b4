import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { inOrder, type Payable } from "../allocation/allocation.rules.ts";
import { freezable, openFee } from "../latefee/freeze.service.ts";
import { lateFeesOf } from "../latefee/latefee.service.ts";
import { type Around, aroundOf, readBills } from "./bills.queries.ts";
import type { Bill, Line } from "./bill.rules.ts";

/** One thing that is still to be paid, with what a person needs to recognise it. */
export type OpenLine = Payable & {
  billNo: string;
  title: string;
  subject: string;
  feeSubjectId: number;
  periodStart: Day | null;
  periodEnd: Day | null;
  /** Net amount of the line; of a late fee not written yet what it has grown to. */
  amount: Fen;
  settled: Fen;
  issued: boolean;
  roomId: number | null;
  contractId: number | null;
  villageId: number;
};
export type OpenOf = { villageIds: readonly number[]; asOf: Day } & (
  | { partyId: number; billIds?: undefined }
  | { billIds: readonly number[]; partyId?: undefined }
);

/**
 * What a party (or some bills) still owes in some villages, planned bills included, in the order it would be paid:
 * open lines, and the late fee grown by `asOf` that stands on no bill yet (`lineId` null).
 */
export async function openLines(read: Read, of: OpenOf): Promise<OpenLine[]> {
  const rows = await read.tx
    .selectFrom("bill")
    .select(["id"])
    .where("villageId", "=", anyOf(of.villageIds))
    .where("outstanding", ">", 0)
    .where("direction", "=", "receivable")
    .$if(of.partyId !== undefined, (q) => q.where("partyId", "=", of.partyId!))
    .$if(of.billIds !== undefined, (q) => q.where("id", "in", [...of.billIds!, 0]))
    .execute();
  const bills = await readBills(
    read,
    rows.map((r) => r.id),
  );
  const around = await aroundOf(
    read,
    bills.map((b) => b.villageId),
  );
  return openLinesOf(read, bills, of.asOf, around);
}

/** The same of bills that were read, or locked, already. */
export async function openLinesOf(
  read: Read,
  bills: readonly Bill[],
  asOf: Day,
  around: Around,
): Promise<OpenLine[]> {
  const fees = await lateFeesOf(read, bills, asOf, around);
  const open = bills.flatMap((bill) => {
    const fee = fees.get(bill.id);
    const change = fee ? freezable(bill, fee, around.settings(bill.villageId).lateFeeMin) : 0;
    // a fee that has fallen since it was written is owed as it is now: the fall is written before it is paid
    const fallen = change < 0 ? openFee(bill) : undefined;
    const lines = bill.lines
      .filter((l) => l.outstanding > 0)
      .map((l) => openLine(bill, l, around, l === fallen ? change : 0))
      .filter((l) => l.owed > 0);
    return change > 0 ? [...lines, unwritten(bill, change, around)] : lines;
  });
  return inOrder(open, around.settings(bills[0]?.villageId ?? 0).allocationOrder);
}

const head = (bill: Bill) => ({
  billId: bill.id,
  billNo: bill.billNo,
  title: bill.title,
  dueDate: bill.dueDate,
  issued: bill.issuedAt !== null,
  contractId: bill.contractId,
  villageId: bill.villageId,
});

function openLine(bill: Bill, line: Line, { subjects }: Around, fall: Fen): OpenLine {
  const subject = subjects.of(line.feeSubjectId);
  return {
    ...head(bill),
    lineId: line.id,
    owed: line.outstanding + fall,
    lateFee: line.kind === "lateFee",
    priority: subject.priority,
    subject: subject.name,
    feeSubjectId: subject.id,
    periodStart: line.periodStart,
    periodEnd: line.periodEnd,
    amount: line.amount + line.adjusted + fall,
    settled: line.settled,
    roomId: line.roomId ?? bill.roomId,
  };
}

function unwritten(bill: Bill, grown: Fen, { subjects }: Around): OpenLine {
  const subject = subjects.late(bill.villageId);
  return {
    ...head(bill),
    lineId: null,
    owed: grown,
    lateFee: true,
    priority: subject.priority,
    subject: subject.name,
    feeSubjectId: subject.id,
    periodStart: null,
    periodEnd: null,
    amount: grown,
    settled: 0,
    roomId: bill.roomId,
  };
}
