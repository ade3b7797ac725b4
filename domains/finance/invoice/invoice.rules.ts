import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, halfUp, ratio } from "../../../platform/kernel/fen.ts";
import { plainWords, type Words } from "../../../platform/kernel/field.ts";
import { moves } from "../../../platform/kernel/moves.ts";
import { type Entry, credit, debit } from "../journal/journal.rules.ts";

export const INVOICE_STATE = {
  applied: ["待审核", "gold"],
  issuing: ["开具中", "cyan"],
  issued: ["已开票", "green"],
  failed: ["开票失败", "red"],
  partRed: ["部分红冲", "orange"],
  red: ["已红冲", "grey"],
  rejected: ["已驳回", "grey"],
  cancelled: ["已取消", "grey"],
} as const satisfies Words;
export type InvoiceState = keyof typeof INVOICE_STATE;
export const DIRECTION = { blue: ["蓝票", "grey"], red: ["红票", "grey"] } as const satisfies Words;
export type Direction = keyof typeof DIRECTION;
export const TITLE_TYPE = plainWords({ company: "企业", person: "个人" });
export const CARRIER = plainWords({ digital: "数电", paper: "纸质" });
export const RED_REASON = plainWords({
  "01": "开票有误",
  "02": "销货退回",
  "03": "服务中止",
  "04": "销售折让",
});

/** Tabs of the page that show invoices, each some states of one direction. */
export const TABS = {
  applied: { title: "待审核", direction: undefined, states: ["applied"] },
  issuing: { title: "开具中", direction: undefined, states: ["issuing"] },
  issued: { title: "已开票", direction: "blue", states: ["issued", "partRed", "red"] },
  failed: { title: "失败", direction: undefined, states: ["failed"] },
  red: { title: "红冲", direction: "red", states: Object.keys(INVOICE_STATE) as InvoiceState[] },
} as const satisfies Record<
  string,
  { title: string; direction: Direction | undefined; states: readonly InvoiceState[] }
>;
export type InvoiceTab = keyof typeof TABS;
export const TAB_KEYS = ["all", ...Object.keys(TABS)] as ["all", ...InvoiceTab[]];

const NAMES = Object.fromEntries(
  Object.entries(INVOICE_STATE).map(([key, [title]]) => [key, title]),
) as Record<InvoiceState, string>;
type Row = { direction: Direction; driver: string; amount: Fen; redAmount: Fen; reding: Fen; sent?: boolean };

const byHand = (row: Row) => row.driver === "manual" && "该企业为手工登记发票，请登记已开具的发票";
export const INVOICE_MOVES = moves<InvoiceState, Row>(NAMES)({
  issue: { label: "审核开票", from: ["applied"], to: "issuing", unless: byHand },
  reject: { label: "驳回", from: ["applied"], to: "rejected" },
  cancel: { label: "取消申请", from: ["applied", "failed"], to: "cancelled" },
  edit: {
    label: "修改",
    from: ["applied", "failed"],
    to: "applied",
    unless: (row) => row.direction === "red" && "红票的购方信息与原发票一致，不能修改",
  },
  retry: { label: "重试", from: ["failed"], to: "issuing", unless: byHand },
  fail: { label: "登记失败", from: ["issuing"], to: "failed" },
  register: {
    label: "登记发票",
    from: ["applied", "failed"],
    to: "issued",
    unless: (row) => row.driver !== "manual" && "该企业由服务商开票，不能手工登记",
  },
  book: { label: "登记开具", from: ["issuing"], to: "issued" },
  red: {
    label: "红冲",
    from: ["issued", "partRed"],
    to: "partRed",
    unless: (row) =>
      (row.direction === "red" && "红票不能再红冲") ||
      (row.redAmount + row.reding >= row.amount && "该发票正在红冲，没有可红冲的金额"),
  },
  send: { label: "重新发送", from: ["issued", "partRed", "red"], to: "issued" },
});

/** What is invoiced of a line so far, and what it may bear of tax. */
export type Bears = {
  /** What the line comes to, corrections included, and the tax inside. */
  whole: Fen;
  tax: Fen;
  /** Invoiced or held for applications, red letters taken off; and the tax of it. */
  taken: Fen;
  takenTax: Fen;
};

/** The tax of so much more of a line: half-up of the cumulative share, less what is taken of it already. */
export function taxOfPart({ whole, tax, taken, takenTax }: Bears, amount: Fen): Fen {
  if (whole <= 0) return 0;
  const upTo = halfUp(ratio(BigInt(tax) * BigInt(taken + amount), whole));
  return Math.min(Math.max(upTo - takenTax, 0), Math.min(amount, Math.max(tax - takenTax, 0)));
}

/** A line as it is asked for on invoices. */
export type Wish = Bears & {
  lineId: number;
  amount: Fen;
  villageId: number;
  /** Items of one kind of lease stand alone on an invoice, as one row. */
  lease: string | null;
};
export type Part = { lineId: number; amount: Fen; tax: Fen };
export type Sheet = { villageId: number; lease: boolean; parts: Part[] };

/**
 * Lays lines on as many invoices as are needed: a store and a kind of lease each by itself, none above the limit. A line that
 * fits is not cut; one beyond the limit is cut at it.
 */
export function sheetsOf(wishes: readonly Wish[], limit: Fen): Sheet[] {
  const sheets: (Sheet & { key: string; sum: Fen })[] = [];
  for (const wish of wishes) {
    const key = `${wish.villageId} ${wish.lease ?? ""}`;
    let { taken, takenTax } = wish;
    let rest = wish.amount;
    while (rest > 0) {
      const amount = Math.min(rest, limit);
      const tax = taxOfPart({ ...wish, taken, takenTax }, amount);
      taken += amount;
      takenTax += tax;
      rest -= amount;
      const open = sheets.find((sheet) => sheet.key === key && sheet.sum + amount <= limit);
      const part = { lineId: wish.lineId, amount, tax };
      if (open) {
        open.parts.push(part);
        open.sum += amount;
      } else
        sheets.push({
          key,
          sum: amount,
          villageId: wish.villageId,
          lease: wish.lease !== null,
          parts: [part],
        });
    }
  }
  return sheets.map(({ villageId, lease, parts }) => ({ villageId, lease, parts }));
}

/** What may be invoiced of a line by a basis. */
export const invoiceable = (
  basis: "paid" | "accrued" | "either",
  of: { whole: Fen; settled: Fen; earned: Fen; taken: Fen },
): Fen => {
  const based =
    basis === "paid" ? of.settled : basis === "accrued" ? of.earned : Math.max(of.settled, of.earned);
  return Math.max(0, Math.min(based, of.whole) - of.taken);
};

/**
 * E22: tax that waited for its invoice becomes payable, or comes back with a red letter. `tax` of a leg is what is moved: what was
 * declared before is not moved again.
 */
export function taxEntry(
  invoice: { id: number; direction: Direction; villageId: number; partyId: number },
  lines: readonly {
    tax: Fen;
    declared: Fen;
    feeSubjectId: number;
    contractId: number | null;
    billId: number;
    billLineId: number;
  }[],
  businessDate: Day,
): Entry {
  const { villageId, partyId } = invoice;
  const sign = invoice.direction === "red" ? -1 : 1;
  return {
    event: "E22",
    sourceType: "invoice",
    sourceId: invoice.id,
    businessDate,
    legs: lines.flatMap(({ tax, declared, ...line }) => {
      const moved = sign * (tax - declared);
      const dims = { ...line, partyId };
      return [debit("2222", villageId, moved, dims), credit("2221", villageId, moved, dims)];
    }),
  };
}

/** Minutes until a driver is asked again, growing up to half an hour. */
export const askAfter = (asked: number): number => Math.min(30, 2 ** Math.max(0, asked - 1));
