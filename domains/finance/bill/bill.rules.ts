import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { SubjectKind } from "../subject/subject.rules.ts";
import type { SliceOf } from "./correction.rules.ts";
import type { Taxed } from "./tax.rules.ts";

export type BillStatus = "unpaid" | "partial" | "paid" | "void";
export const BILL_STATUS: Words<BillStatus> = {
  unpaid: ["待支付", "gold"],
  partial: ["部分支付", "blue"],
  paid: ["已付", "green"],
  void: ["作废", "grey"],
};
export type BillSource =
  | "schedule"
  | "meter"
  | "settlement"
  | "manual"
  | "import"
  | "opening"
  | "lateFee"
  | "cost"
  | "reservation"
  | "turnover";
export const BILL_SOURCE: Words<BillSource> = {
  schedule: ["合同账单", "grey"],
  meter: ["抄表", "grey"],
  settlement: ["退房结算", "grey"],
  manual: ["手工", "grey"],
  import: ["导入", "grey"],
  opening: ["期初", "grey"],
  lateFee: ["滞纳金", "grey"],
  cost: ["成本", "grey"],
  reservation: ["预订", "grey"],
  turnover: ["营业额提成", "grey"],
};
export type Direction = "receivable" | "payable";
export const DIRECTION: Words<Direction> = { receivable: ["应收", "grey"], payable: ["应付", "grey"] };

export type LineKind = "normal" | "adjust" | "trim" | "lateFee";

/** A bill line as acts work with it. */
export type Line = Taxed & {
  id: number;
  billId: number;
  feeSubjectId: number;
  kind: LineKind;
  roomId: number | null;
  amount: Fen;
  adjusted: Fen;
  settled: Fen;
  writtenOff: Fen;
  invoiced: Fen;
  outstanding: Fen;
  tax: Fen;
  periodStart: Day | null;
  periodEnd: Day | null;
  slices: SliceOf[];
};

export type Bill = {
  id: number;
  billNo: string;
  direction: Direction;
  villageId: number;
  roomId: number | null;
  contractId: number | null;
  partyId: number;
  title: string;
  dueDate: Day;
  issueDate: Day;
  issuedAt: string | null;
  createdAt: string;
  periodStart: Day | null;
  periodEnd: Day | null;
  source: BillSource;
  graceDays: number;
  lateFeeRate: string;
  lateFeeCap: string;
  disputedFrom: Day | null;
  disputedTo: Day | null;
  voidedAt: string | null;
  amount: Fen;
  adjusted: Fen;
  settled: Fen;
  writtenOff: Fen;
  invoiced: Fen;
  outstanding: Fen;
  status: BillStatus;
  version: number;
  lines: Line[];
};

/** Lines somebody pays: corrections are laid on these and never paid themselves. */
export const isPayable = (line: Pick<Line, "amount" | "kind">): boolean =>
  line.amount > 0 && (line.kind === "normal" || line.kind === "lateFee");

export const netOf = (line: Pick<Line, "amount" | "adjusted">): Fen => line.amount + line.adjusted;

const HELD: readonly SubjectKind[] = ["deposit", "earnest"];
/** Money that is held and given back, never income. */
export const isHeld = (kind: SubjectKind): boolean => HELD.includes(kind);

type Standing = Pick<
  Bill,
  "status" | "settled" | "writtenOff" | "invoiced" | "issuedAt" | "outstanding" | "direction"
>;

/** Why a bill cannot be voided now, or nothing. */
export function whyNotVoid(bill: Standing): string | undefined {
  if (bill.status === "void") return "账单已作废";
  if (bill.settled > 0) return "账单已收款，不能作废，请使用冲销或退款";
  if (bill.writtenOff > 0) return "账单已核销，不能作废";
  if (bill.invoiced > 0) return "账单已开票，请先红冲";
  return undefined;
}

/** Why a bill cannot be adjusted now, or nothing. */
export function whyNotAdjust(bill: Standing): string | undefined {
  if (bill.status === "void") return "账单已作废，不能调整";
  if (bill.status === "paid") return "账单没有未收金额，不能调整";
  return undefined;
}

/** Why a bill cannot be paid now, or nothing. */
export function whyNotPay(bill: Standing): string | undefined {
  if (bill.status === "void") return "账单已作废";
  if (bill.outstanding <= 0) return "账单没有未收金额";
  return undefined;
}

/** Why money cannot be taken for some bills, or nothing: those that were voided meanwhile are named. */
export function whyNotTake(bills: readonly Pick<Bill, "billNo" | "voidedAt">[]): string | undefined {
  const gone = bills.filter((bill) => bill.voidedAt).map((bill) => bill.billNo);
  return gone.length ? `账单 ${gone.join("、")} 已作废，不能收款，请去掉后重新核对` : undefined;
}

/** Why a bill cannot be put on the ledger by hand now, or nothing. */
export function whyNotIssue(bill: Standing): string | undefined {
  if (bill.status === "void") return "账单已作废";
  if (bill.issuedAt) return "账单已出账";
  return undefined;
}

/** Why a bill cannot be written off now, or nothing: it must be issued, long overdue, and its period over. */
export function whyNotWriteOff(
  bill: Standing & Pick<Bill, "dueDate" | "periodEnd">,
  daysOverdue: number,
  minDays: number,
  today: Day,
): string | undefined {
  const common = whyNotPay(bill);
  if (common) return common;
  if (bill.direction === "payable") return "应付账单不能核销，请调整或作废";
  if (!bill.issuedAt) return "账单未出账，不能核销";
  const over = !bill.periodEnd || bill.periodEnd < today;
  return daysOverdue >= minDays && over
    ? undefined
    : `账单未满足核销条件：逾期满 ${minDays} 天且计费期已结束`;
}
