import { type Day, addDays, addMonths } from "../../../platform/kernel/day.ts";
import {
  type Fen,
  decimal,
  halfUp,
  isAmount,
  ratio,
  times,
  TOO_LARGE,
} from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Subject } from "../subject/subject.rules.ts";
import {
  type Bearer,
  type BillSource,
  type Direction,
  type LineKind,
  type SliceOf,
  layOn,
  taxOf,
} from "./bill.rules.ts";

export type NewLine = {
  /** A code such as 'rent', or the id of a fee subject. */
  subject: string | number;
  roomId?: number | null;
  /** Fen ≥ 0; negative only for kind 'adjust', which is laid on the bill's lines of the same subject. */
  amount: Fen;
  kind?: "normal" | "lateFee" | "adjust";
  periodStart: Day | null;
  periodEnd: Day | null;
  /** What each contract month of the line costs; adds up to the amount. */
  slices: SliceOf[];
  /** Rule, inputs, days, formula, rounding as data. */
  explain: object;
  /** Why, for a discount. */
  reason?: string;
};

export type NewBill = {
  villageId: number;
  roomId: number | null;
  contractId: number | null;
  partyId: number;
  title: string;
  dueDate: Day;
  periodStart: Day | null;
  periodEnd: Day | null;
  source: BillSource;
  sourceId?: number | null;
  graceDays: number;
  /** Per day, decimal text: "0.0005". */
  lateFeeRate: string;
  /** Share of the principal, decimal text: "1". */
  lateFeeCap: string;
  direction?: Direction;
  /** Of what we owe: somebody has to agree first, and until then it is a plan. */
  waits?: boolean;
  /** It has entered the ledger before its issue day, as one that it stands in for had. */
  issuedAhead?: boolean;
  /** Only with source opening: the day of the take-over, on which it enters the ledger whenever it falls due. */
  openedOn?: Day;
  remark?: string;
  lines: NewLine[];
};

export type LineRow = {
  id: number;
  billId: number;
  feeSubjectId: number;
  kind: LineKind;
  roomId: number | null;
  amount: Fen;
  taxMode: Subject["taxMode"];
  taxRate: string;
  tax: Fen;
  periodStart: Day | null;
  periodEnd: Day | null;
  slices: SliceOf[];
  explain: object;
  adjustsLineId: number | null;
  reason: string;
  adjusted: Fen;
};

/** The lines of one new bill with tax, and with each discount laid on the lines it lowers. */
export function lineRows(
  bill: NewBill,
  billId: number,
  ids: readonly number[],
  find: (villageId: number, subject: string | number) => Subject,
): LineRow[] {
  if (!isBillable(bill.lines.map((line) => line.amount))) throw invalid({ field: "lines", msg: TOO_LARGE });
  const rows = bill.lines.map((line, i): LineRow => {
    const subject = find(bill.villageId, line.subject);
    // 6401 is what the house pays: on a receivable it would be earned by nobody and stay in 2204
    if (subject.kind === "cost" && bill.direction !== "payable")
      throw invalid({ field: `lines.${i}.feeSubjectId`, msg: `${subject.name}是成本科目，不能向客户收取` });
    const { taxMode, taxRate } = subject;
    return {
      id: ids[i]!,
      billId,
      feeSubjectId: subject.id,
      kind: line.kind ?? (subject.kind === "lateFee" ? "lateFee" : "normal"),
      roomId: line.roomId ?? null,
      amount: line.amount,
      taxMode,
      taxRate,
      tax: taxOf(line.amount, { taxMode, taxRate }),
      periodStart: line.periodStart,
      periodEnd: line.periodEnd,
      slices: line.slices,
      explain: line.explain,
      adjustsLineId: null,
      reason: line.reason ?? "",
      adjusted: 0,
    };
  });
  for (const row of rows) if (row.kind === "adjust") lay(row, rows);
  return rows;
}

/** Lines of the same subject bear it; those of the same room and period first. */
function lay(adjust: LineRow, rows: readonly LineRow[]): void {
  const near = (row: LineRow) =>
    (row.roomId === adjust.roomId ? 0 : 2) + (row.periodStart === adjust.periodStart ? 0 : 1);
  const bearing = rows
    .filter((row) => row.kind !== "adjust" && row.feeSubjectId === adjust.feeSubjectId)
    .toSorted((a, b) => near(a) - near(b));
  const bearers = bearing.map((row): Bearer => ({ ...row, net: row.amount + row.adjusted, taken: 0 }));
  const laid = layOn(bearers, adjust.amount);
  if (!laid) throw invalid({ field: "lines", msg: "减免金额不能大于费用金额" });
  adjust.tax = laid.reduce((sum, part) => sum + part.tax, 0);
  adjust.adjustsLineId = laid.length === 1 ? laid[0]!.lineId : null;
  for (const part of laid) bearing.find((row) => row.id === part.lineId)!.adjusted += part.amount;
}

/** Quantity (decimal text) × unit price, rounded half-up once. */
export const priced = (quantity: string, price: Fen): Fen => halfUp(times(decimal(quantity), ratio(price)));

/** Whether a bill of these lines is an amount, and each line is. */
export const isBillable = (amounts: readonly Fen[]): boolean =>
  amounts.every(isAmount) && isAmount(amounts.reduce((sum, fen) => sum + Math.max(fen, 0), 0));

/** The longest lease is billed in one, where it is paid as a whole. */
const LONGEST_MONTHS = 240;

/** What is wrong with the days that a charge is for, or nothing. `title` is what the form calls them. */
export function whyNotPeriod(from: Day, to: Day, title = "计费期"): string | undefined {
  if (to < from) return `${title}止不能早于${title}起`;
  return to >= addMonths(from, LONGEST_MONTHS) ? `${title}最长二十年` : undefined;
}

/** The day a bill enters the ledger by itself. */
export const issueDayOf = (dueDate: Day, issueLeadDays: number): Day => addDays(dueDate, -issueLeadDays);

const sumOf = (lines: readonly LineRow[], wanted: (line: LineRow) => boolean) =>
  lines.reduce((sum, line) => sum + (wanted(line) ? line.amount : 0), 0);

/** One new bill with its sums. Issued at once, dated today, when its issue day has come. */
export function billRow(
  bill: NewBill,
  id: number,
  billNo: string,
  lines: LineRow[],
  when: { issueDay: Day; today: Day },
) {
  // what we owe is a cost from the moment it is booked or agreed to, whenever it falls due
  const atOnce =
    bill.direction === "payable" ||
    bill.source === "opening" ||
    bill.issuedAhead ||
    when.issueDay <= when.today;
  const issued = atOnce && !bill.waits;
  return {
    ...bill,
    id,
    billNo,
    lines,
    direction: bill.direction ?? ("receivable" as const),
    remark: bill.remark ?? "",
    sourceId: bill.sourceId ?? null,
    issueDate: bill.openedOn ?? (atOnce ? when.today : when.issueDay),
    issued,
    amount: sumOf(lines, (l) => l.kind !== "adjust"),
    adjusted: sumOf(lines, (l) => l.kind === "adjust"),
    subjectIds: [...new Set(lines.map((l) => l.feeSubjectId))],
  };
}

export type BillRow = ReturnType<typeof billRow>;

/** A rate as people read it: "0.0005" → "0.05%". */
export const percentOf = (rate: string): string => `${Math.round(Number(rate) * 1e8) / 1e6}%`;
