import type { Day } from "../../../platform/kernel/day.ts";
import {
  type Fen,
  type Ratio,
  decimal,
  halfUp,
  over,
  plus,
  ratio,
  share,
  times,
} from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Subject, SubjectKind, Taxed } from "../subject/subject.rules.ts";

/** A positive line that can bear a correction. `net` = amount with what was laid on it before. */
export type Bearer = Taxed & {
  id: number;
  feeSubjectId: number;
  roomId: number | null;
  net: Fen;
  /** What is paid or written off: a reduction never goes below it. */
  taken: Fen;
};
export type Laid = { lineId: number; amount: Fen; tax: Fen };

/**
 * Lays a correction on lines, the first that can bear it first: a reduction stops at what is taken of a line.
 * Answers undefined when they cannot bear it all. Tax follows each line's own before and after.
 */
export function layOn(bearers: readonly Bearer[], amount: Fen): Laid[] | undefined {
  const laid: Laid[] = [];
  let rest = amount;
  for (const line of bearers) {
    if (rest === 0) break;
    const part = rest > 0 ? rest : Math.max(rest, line.taken - line.net);
    if (part === 0) continue;
    laid.push({ lineId: line.id, amount: part, tax: taxOfChange(line.net, part, line) });
    rest -= part;
  }
  return rest === 0 ? laid : undefined;
}

/** `minus` and `plus` in fen; `percent` takes "5" percent off what the line is now. */
export type Change = { mode: "minus" | "plus"; value: Fen } | { mode: "percent"; percent: string };

/** What a change means in fen. */
export function changeOf(net: Fen, change: Change): Fen {
  if (change.mode === "percent") return -halfUp(times(ratio(net, 100), decimal(change.percent)));
  return change.mode === "plus" ? change.value : -change.value;
}

export type SliceOf = { from: Day; to: Day; amount: Fen };

/** Spreads a correction over the months of its line in proportion, so that it is earned as the line is. */
export function slicesOf(slices: readonly SliceOf[], amount: Fen): SliceOf[] {
  const whole = slices.filter((s) => s.amount > 0);
  if (!whole.length) return [];
  const parts = share(
    amount,
    whole.map((s) => BigInt(s.amount)),
  );
  return whole.map(({ from, to }, i) => ({ from, to, amount: parts[i]! }));
}

const REDUCED = { base: ratio(105, 100), rate: ratio(15, 1000) };

/** The tax inside an amount, exact. */
function exactTax(amount: Fen, { taxMode, taxRate }: Taxed): Ratio {
  if (taxMode === "none") return ratio(0);
  if (taxMode === "reduced15") return times(over(ratio(amount), REDUCED.base), REDUCED.rate);
  const rate = decimal(taxRate);
  return over(times(ratio(amount), rate), plus(ratio(1), rate));
}

/** The tax inside an amount, rounded half-up once: 3,000.00 at the reduced 1.5% = 42.86. */
export const taxOf = (amount: Fen, taxed: Taxed): Fen => halfUp(exactTax(amount, taxed));

/**
 * The tax of a correction: what the line's tax is after, less what it was before, so that a line and its corrections
 * carry exactly the tax of what is left.
 */
export const taxOfChange = (before: Fen, change: Fen, taxed: Taxed): Fen =>
  taxOf(before + change, taxed) - taxOf(before, taxed);

/** What is taken off: so many percent of every line, or so many fen of every bill. */
export type How = {
  mode: "percent" | "minus";
  percent?: string | undefined;
  value?: Fen | undefined;
  feeSubjectId?: number | null | undefined;
};
export type Reduced = {
  /** The lines that are meant. */
  lines: Line[];
  before: Fen;
  changes: { lineId: number; amount: Fen }[];
  refusal: string | null;
};

const TAKEN = "减免后金额小于已收金额，请先撤销分配";

/** Late fees are waived one by one, with a code of their own; deposits are given back and not meant unless they are named. */
const isMeant = (line: Line, how: How, subject: Subject): boolean =>
  isPayable(line) &&
  line.kind !== "lateFee" &&
  (how.feeSubjectId ? line.feeSubjectId === how.feeSubjectId : !isHeld(subject.kind));

/** What a reduction does to one bill, or why it cannot be done. */
export function reduced(bill: Bill, how: How, subjectOf: (id: number) => Subject): Reduced {
  const lines = bill.lines.filter((line) => isMeant(line, how, subjectOf(line.feeSubjectId)));
  const before = lines.reduce((sum, line) => sum + netOf(line), 0);
  const no = (refusal: string): Reduced => ({ lines, before, changes: [], refusal });
  const why = bill.direction === "payable" ? "应付账单不能减免" : whyNotAdjust(bill);
  if (why) return no(why);
  if (!lines.length) return no(how.feeSubjectId ? "没有这项费用" : "没有可减免的费用");
  const bearers = lines.map((line) => ({ ...line, net: netOf(line), taken: line.settled + line.writtenOff }));
  if (how.mode === "minus") {
    const laid = layOn(bearers, -(how.value ?? 0));
    if (!laid) return no(bearers.some((b) => b.taken) ? TAKEN : "减免金额不能大于费用金额");
    return { lines, before, changes: laid.map(({ lineId, amount }) => ({ lineId, amount })), refusal: null };
  }
  const changes: Reduced["changes"] = [];
  for (const line of bearers) {
    const amount = changeOf(line.net, { mode: "percent", percent: how.percent ?? "0" });
    if (line.net + amount < line.taken) return no(`${subjectOf(line.feeSubjectId).name}${TAKEN}`);
    if (amount) changes.push({ lineId: line.id, amount });
  }
  return changes.length ? { lines, before, changes, refusal: null } : no("减免金额不足一分");
}

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
  /** Held for applications. */
  invoicing: Fen;
  outstanding: Fen;
  tax: Fen;
  /** Of a correction, the one line that it is laid on. */
  adjustsLineId?: number | null;
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
  /** Held for applications for invoices. */
  invoicing: Fen;
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
> & { invoicing?: Fen };

/** Why a bill cannot be voided now, or nothing. */
export function whyNotVoid(bill: Standing): string | undefined {
  if (bill.status === "void") return "账单已作废";
  if (bill.settled > 0) return "账单已收款，不能作废，请使用冲销或退款";
  if (bill.writtenOff > 0) return "账单已核销，不能作废";
  if (bill.invoiced > 0) return "账单已开票，请先红冲";
  if (bill.invoicing) return "账单正在开票，请先驳回或取消开票申请";
  return undefined;
}

/** Why nobody voids a bill of a contract whose leaving is being settled: the settlement says what becomes of it. */
export const SETTLING = "合同正在退房结算，账单不能作废，请在退房结算中处理";

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

/** Why a cost cannot be paid yet, or nothing: it is owed once it is agreed to. */
export const whyNotOwed = ({ issuedAt }: Pick<Bill, "issuedAt">): string | undefined =>
  issuedAt ? undefined : "应付账单审批中，通过后才能付款";

/** Why money cannot be taken for some bills, or nothing: those that were voided meanwhile are named. */
export function whyNotTake(bills: readonly Pick<Bill, "billNo" | "voidedAt">[]): string | undefined {
  const gone = bills.filter((bill) => bill.voidedAt).map((bill) => bill.billNo);
  return gone.length ? `账单 ${gone.join("、")} 已作废，不能收款，请去掉后重新核对` : undefined;
}

/** Why a bill cannot be put on the ledger by hand now, or nothing. */
export function whyNotIssue(bill: Standing): string | undefined {
  if (bill.status === "void") return "账单已作废";
  if (bill.issuedAt) return "账单已出账";
  if (bill.direction === "payable") return "应付账单在审批通过后入账";
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

/** Why a write-off cannot be taken back now, or nothing. */
export const whyNotRecover = ({ writtenOff }: Pick<Bill, "writtenOff">): string | undefined =>
  writtenOff > 0 ? undefined : "账单没有核销金额";

/** Where a customer's own page is, by kind. */
export const PARTY_PAGE: Partial<Record<string, string>> = {
  renter: "/configuration/RenterManage",
  company: "/configuration/CompanyManagement",
  merchant: "/configuration/MerchantManage",
};
/** Where contracts are listed and opened, by the kind of their party. */
export const CONTRACT_PAGE = {
  renter: "/contract/RenterContractPage",
  company: "/contract/CompanyContractPage",
  merchant: "/contract/merchantContractTable",
} as const;
export const contractPage = (partyKind: string): string | undefined =>
  (CONTRACT_PAGE as Partial<Record<string, string>>)[partyKind];
export const COUNTER = "/accountManage/addBillFlow";
export const BILLS = "/accountManage/BillListManage";
export const INVOICES = "/accountManage/InvoiceManage";
export const FLOWS = "/accountManage/AccountFlowPatch";

export const PARTY_KIND = {
  renter: ["租客", "grey"],
  company: ["企业", "grey"],
  merchant: ["商户", "grey"],
  thirdParty: ["散客与合作方", "grey"],
  supplier: ["供应商", "grey"],
} as const satisfies Words;
export type PartyKind = keyof typeof PARTY_KIND;
