import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { credit, debit, mirrored, type Dims, type Entry, type Leg } from "../journal/journal.rules.ts";
import type { SubjectKind } from "../subject/subject.rules.ts";
import { isHeld, type Bill, type Line } from "./bill.rules.ts";

type Billed = Pick<Bill, "id" | "villageId" | "partyId" | "contractId" | "direction" | "source">;
type Charged = Pick<Line, "id" | "amount" | "tax" | "feeSubjectId" | "kind">;

const RECEIVABLE = "1122";
const DEFERRED = "2204";
const DEPOSIT_DUE = "2205";
const HELD_MONEY = "2241";
const AGENCY = "2243";
const LATE_FEE = "6052";
const TAX = "2222";
const LOSS = "6701";
/** 期初: the other side of what was there before. */
export const OPENING = "3999";

const dimsOf = (
  bill: Pick<Billed, "id" | "partyId" | "contractId">,
  line: Pick<Charged, "id" | "feeSubjectId">,
): Dims => ({
  partyId: bill.partyId,
  contractId: bill.contractId,
  billId: bill.id,
  billLineId: line.id,
  feeSubjectId: line.feeSubjectId,
});

/** The account on the other side of a receivable that is no late fee. */
function otherSide({ source }: Pick<Billed, "source">, kind: SubjectKind): string {
  // it was income in the books before these
  if (source === "opening") return OPENING;
  return isHeld(kind) ? DEPOSIT_DUE : kind === "agency" ? AGENCY : DEFERRED;
}

/** What a charged line stands against on the other side of the receivable. Signed: a correction mirrors itself. */
function against(bill: Billed, line: Charged, kind: SubjectKind, dims: Dims): Leg[] {
  const { villageId } = bill;
  if (kind === "lateFee")
    return [
      credit(LATE_FEE, villageId, line.amount - line.tax, dims),
      credit(TAX, villageId, line.tax, dims),
    ];
  return [credit(otherSide(bill, kind), villageId, line.amount, dims)];
}

const chargeLegs = (bill: Billed, line: Charged, kind: SubjectKind): Leg[] => {
  const dims = dimsOf(bill, line);
  return [debit(RECEIVABLE, bill.villageId, line.amount, dims), ...against(bill, line, kind, dims)];
};

/** A payable bill: cost, or collected money handed on, against what we owe. */
function costLegs(bill: Billed, line: Charged, kind: SubjectKind): Leg[] {
  const dims = dimsOf(bill, line);
  const account = kind === "agency" ? AGENCY : "6401";
  return [
    debit(account, bill.villageId, line.amount, dims),
    credit("2202", bill.villageId, line.amount, dims),
  ];
}

/**
 * E01 for what is charged, E02 for deposits and earnest money, E03 for late fees that come with the bill; E25 for a
 * cost, E30 for arrears from before the take-over.
 */
export function issueEntries(
  bill: Billed,
  lines: readonly Charged[],
  kindOf: (feeSubjectId: number) => SubjectKind,
  businessDate: Day,
): Entry[] {
  const source = { sourceType: "bill", sourceId: bill.id, businessDate };
  const legs = (wanted: (kind: SubjectKind) => boolean, of = chargeLegs) =>
    lines
      .filter((line) => wanted(kindOf(line.feeSubjectId)))
      .flatMap((line) => of(bill, line, kindOf(line.feeSubjectId)));
  if (bill.source === "opening") return [{ ...source, event: "E30", legs: legs(() => true) }];
  if (bill.direction === "payable") return [{ ...source, event: "E25", legs: legs(() => true, costLegs) }];
  const entries: Entry[] = [
    { ...source, event: "E01", legs: legs((kind) => !isHeld(kind) && kind !== "lateFee") },
    { ...source, event: "E02", legs: legs(isHeld) },
    { ...source, event: "E03", legs: legs((kind) => kind === "lateFee") },
  ];
  return entries.filter((entry) => entry.legs.length);
}

/** E03 of a late fee frozen later, E04 of a correction; what is owed by us is corrected on its own side of the books (E25). */
export const lineEntry = (
  event: "E03" | "E04",
  bill: Billed,
  line: Charged,
  kind: SubjectKind,
  businessDate: Day,
): Entry => ({
  sourceType: "billLine",
  sourceId: line.id,
  businessDate,
  ...(bill.direction === "payable"
    ? { event: "E25", legs: costLegs(bill, line, kind) }
    : { event, legs: chargeLegs(bill, line, kind) }),
});

/**
 * E11: what will not be paid any more becomes a loss. A deposit, or money collected for others, was never income and is
 * none to lose: what stood against it is taken away.
 */
export function writeOffEntry(
  bill: Billed,
  allocationId: number,
  line: Pick<Charged, "id" | "feeSubjectId">,
  kind: SubjectKind,
  amount: Fen,
  businessDate: Day,
): Entry {
  const dims = dimsOf(bill, line);
  const account = isHeld(kind) || kind === "agency" ? otherSide(bill, kind) : LOSS;
  return {
    event: "E11",
    sourceType: "allocation",
    sourceId: allocationId,
    businessDate,
    legs: [debit(account, bill.villageId, amount, dims), credit(RECEIVABLE, bill.villageId, amount, dims)],
  };
}

/** E08: prepaid money pays a line; a paid deposit is from then on held. */
export function allocationEntry(
  bill: Billed,
  allocation: { id: number; flowId: number | null; amount: Fen },
  line: Pick<Charged, "id" | "feeSubjectId">,
  kind: SubjectKind,
  businessDate: Day,
): Entry {
  const { villageId } = bill;
  const { amount, flowId } = allocation;
  const dims = { ...dimsOf(bill, line), flowId };
  const legs = [debit("2203", villageId, amount, dims), credit(RECEIVABLE, villageId, amount, dims)];
  if (isHeld(kind))
    legs.push(debit(DEPOSIT_DUE, villageId, amount, dims), credit("2241", villageId, amount, dims));
  return { event: "E08", sourceType: "allocation", sourceId: allocation.id, businessDate, legs };
}

/** E15: earnest money goes back to the party's prepaid balance, to pay the contract that came of it. */
export const freedEntry = (paid: Entry, allocationId: number, businessDate: Day): Entry => ({
  event: "E15",
  sourceType: "allocation",
  sourceId: allocationId,
  businessDate,
  legs: mirrored(paid.legs.filter((leg) => leg.account === HELD_MONEY || leg.account === "2203")),
});

/** E14: a deposit that is held for a contract pays what the contract still owes. */
export const depositEntry = (
  bill: Billed,
  line: Pick<Charged, "id" | "feeSubjectId">,
  allocationId: number,
  amount: Fen,
  businessDate: Day,
): Entry => ({
  event: "E14",
  sourceType: "allocation",
  sourceId: allocationId,
  businessDate,
  legs: [
    debit(HELD_MONEY, bill.villageId, amount, { partyId: bill.partyId, contractId: bill.contractId }),
    credit(RECEIVABLE, bill.villageId, amount, dimsOf(bill, line)),
  ],
});

type Holder = { villageId: number; partyId: number; contractId: number };

/** E15: the deposit of one contract becomes that of the one after it. */
export const carriedEntry = (
  from: Holder,
  to: Holder,
  amount: Fen,
  { sourceId, times, businessDate }: { sourceId: number; times: number; businessDate: Day },
): Entry => ({
  event: "E15",
  sourceType: "contract",
  sourceId,
  seq: times,
  businessDate,
  legs: [
    debit(HELD_MONEY, from.villageId, amount, { partyId: from.partyId, contractId: from.contractId }),
    credit(HELD_MONEY, to.villageId, amount, { partyId: to.partyId, contractId: to.contractId }),
  ],
});

type Earnest = Pick<Bill, "id" | "villageId" | "partyId" | "contractId"> & {
  lines: readonly { id: number; feeSubjectId: number }[];
};
const earnestLeg = (bill: Earnest, amount: Fen): Leg => {
  const [line] = bill.lines;
  return debit(HELD_MONEY, bill.villageId, amount, dimsOf(bill, line!));
};

/** E14: earnest money that is forfeited pays the penalty it became. */
export const setOffEntry = (
  earnest: Earnest,
  penalty: Earnest,
  allocationId: number,
  amount: Fen,
  businessDate: Day,
): Entry => ({
  event: "E14",
  sourceType: "allocation",
  sourceId: allocationId,
  businessDate,
  legs: [
    earnestLeg(earnest, amount),
    credit(RECEIVABLE, penalty.villageId, amount, dimsOf(penalty, penalty.lines[0]!)),
  ],
});
