import { type Fen, yuan } from "../../../platform/kernel/fen.ts";

/** One movement in the book of the embedded cashier. */
export type TillEntry = {
  /** YYYY-MM-DD HH:mm:ss, as the house counts its days. */
  at: string;
  tradeNo: string;
  orderNo: string;
  /** Both numbers of money that was given back: the cashier's and the house's. */
  refundId: string | null;
  refundNo: string | null;
  amount: Fen;
};

/** What stands in a bill of the embedded cashier, and below it. */
export const TILL_COLUMNS = [
  "交易时间",
  "收银流水号",
  "商户订单号",
  "收支",
  "金额",
  "退款流水号",
  "商户退款单号",
] as const;
export const TILL_TOTALS = ["总笔数", "收款总金额", "退款总金额"] as const;
export const TILL_WAYS = { in: "收款", out: "退款" } as const;

/** The bill of a day as text: a header, a line for each movement, and what they come to. */
export function tillBill(entries: readonly TillEntry[]): string {
  const sum = (out: boolean) =>
    yuan(
      entries.reduce((fen, e) => fen + ((e.refundId !== null) === out ? e.amount : 0), 0),
      false,
    );
  const lines = entries.map((e) => [
    e.at,
    e.tradeNo,
    e.orderNo,
    e.refundId === null ? TILL_WAYS.in : TILL_WAYS.out,
    yuan(e.amount, false),
    e.refundId ?? "",
    e.refundNo ?? "",
  ]);
  const totals = [String(entries.length), sum(false), sum(true)];
  return [TILL_COLUMNS, ...lines, TILL_TOTALS, totals].map((cells) => `${cells.join(",")}\r\n`).join("");
}
