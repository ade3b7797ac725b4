import { maxDay, type Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { Bill, Line } from "../bill/bill.rules.ts";
import { type Around, type Paid, aroundOf, readBills } from "../bill/bills.queries.ts";
import { freezable, type LateFacts, lateFactsOf, lateFeesOn, openFee } from "../latefee/latefee.service.ts";
import { type Payable, type Paying, type Want, inOrder, keyOf, payFrom } from "./allocation.rules.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

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
/**
 * What a party still owes in some villages, planned bills included, in the order it would be paid:
 * open lines, and the late fee grown by `asOf` that stands on no bill yet (`lineId` null).
 */
export async function openLines(
  read: Read,
  of: { partyId: number; villageIds: readonly number[]; asOf: Day },
): Promise<OpenLine[]> {
  const rows = await read.tx
    .selectFrom("bill")
    .select(["id"])
    .where("villageId", "=", anyOf(of.villageIds))
    .where("outstanding", ">", 0)
    .where("direction", "=", "receivable")
    .where("partyId", "=", of.partyId)
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
  return openLinesOn(asOf, bills, around, await lateFactsOf(read, bills, asOf, around));
}

/** The same from facts that were read for this day or a later one. */
function openLinesOn(asOf: Day, bills: readonly Bill[], around: Around, facts: LateFacts): OpenLine[] {
  const fees = lateFeesOn(asOf, bills, around, facts);
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

/** Money that can pay: a flow (or NO_FLOW), or (`flowId` null) the receipt being booked. Each counts on its own day. */
export type PlanSource = { flowId: number | null; available: Fen; paidOn: Day };
/** What one source pays. */
export type Stage = PlanSource & { paying: Paying[] };

export type PlanRow = OpenLine & { pay: Fen };
export type Plan = {
  rows: PlanRow[];
  stages: Stage[];
  /** Late fee that is written when this is carried out, by bill. */
  frozen: { billId: number; billNo: string; amount: Fen }[];
  /** Planned bills that enter the ledger because they are paid. */
  issued: { billId: number; billNo: string }[];
  paid: Fen;
};

/**
 * Works out what the sources would pay of some bills (read, or locked), first source first. Without an amount a want
 * is paid as far as the money goes. Each source meets the late fee as of its own day: money that came earlier owes less.
 */
export async function planOf(
  read: Read,
  bills: readonly Bill[],
  wants: readonly Want[],
  sources: readonly PlanSource[],
  around: Around,
): Promise<Plan> {
  const last = sources.map((source) => source.paidOn).reduce(maxDay, bills[0]?.dueDate ?? read.today);
  return planFrom(await lateFactsOf(read, bills, last, around), bills, wants, sources, around);
}

/** The plan itself: nothing is read any more. */
function planFrom(
  facts: LateFacts,
  bills: readonly Bill[],
  wants: readonly Want[],
  sources: readonly PlanSource[],
  around: Around,
): Plan {
  const open = new Map(wants.map((w) => [keyOf(w), w.amount ?? Number.MAX_SAFE_INTEGER]));
  const paid: Paid[] = [];
  const pays = new Map<string, Fen>();
  const stages: Stage[] = [];
  const frozen = new Map<number, Fen>();
  let rows: OpenLine[] = [];
  for (const source of sources) {
    rows = openLinesOn(source.paidOn, bills, { ...around, paid }, facts);
    const left = rows.map((line) => ({ ...line, owed: line.owed - (pays.get(keyOf(line)) ?? 0) }));
    const { paying } = payFrom(left, open, source.available);
    stages.push({ ...source, paying });
    for (const pay of paying) {
      pays.set(keyOf(pay), (pays.get(keyOf(pay)) ?? 0) + pay.amount);
      if (pay.lineId !== null) paid.push({ lineId: pay.lineId, day: source.paidOn, amount: pay.amount });
      const grown = rows.find((l) => l.billId === pay.billId && l.lineId === null);
      if (grown && (pay.lineId === null || freezesOnPayment(grown.villageId, around)))
        frozen.set(pay.billId, grown.owed);
    }
  }
  return answer(bills, wants, rows, { stages, pays, frozen });
}

/** Whether paying principal writes the late fee down, or only the month's run does. */
export const freezesOnPayment = (villageId: number, { settings }: Around): boolean =>
  settings(villageId).lateFeeFreeze === "onPayment";

function answer(
  bills: readonly Bill[],
  wants: readonly Want[],
  lines: readonly OpenLine[],
  made: { stages: Stage[]; pays: ReadonlyMap<string, Fen>; frozen: ReadonlyMap<number, Fen> },
): Plan {
  const { stages, pays, frozen } = made;
  const wanted = new Set(wants.map(keyOf));
  const numberOf = (id: number) => bills.find((b) => b.id === id)!.billNo;
  const touched = new Set(stages.flatMap((s) => s.paying.map((p) => p.billId)));
  return {
    rows: lines
      .filter((line) => wanted.has(keyOf(line)) || pays.has(keyOf(line)))
      .map((line) => ({ ...line, pay: pays.get(keyOf(line)) ?? 0 })),
    stages,
    frozen: [...frozen].map(([billId, amount]) => ({ billId, billNo: numberOf(billId), amount })),
    issued: bills
      .filter((bill) => touched.has(bill.id) && !bill.issuedAt)
      .map(({ id, billNo }) => ({ billId: id, billNo })),
    paid: [...pays.values()].reduce((sum, fen) => sum + fen, 0),
  };
}

/** SHA-256 over everything the amounts rest on; equal hashes mean that nothing changed in between. */
export function hashOfPlan(plan: Plan, bills: readonly Bill[], inputs: object): string {
  const basis = {
    inputs,
    bills: bills.map((b) => [b.id, b.version, b.outstanding]),
    rows: plan.rows.map((r) => [r.billId, r.lineId, r.owed, r.pay]),
    stages: plan.stages.map((s) => [
      s.flowId,
      s.available,
      s.paidOn,
      s.paying.map((p) => [keyOf(p), p.amount]),
    ]),
    frozen: plan.frozen.map((f) => [f.billId, f.amount]),
  };
  return basisHash(basis);
}
