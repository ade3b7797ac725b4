import type { Day } from "../../../platform/kernel/day.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { headerOf, plain } from "./cell.rules.ts";

export type Format =
  | "wechatAll"
  | "wechatSuccess"
  | "wechatRefund"
  | "wechatFund"
  | "alipayTrade"
  | "alipayFund"
  | "bank"
  | "till";
export const FORMAT: Words<Format> = {
  wechatAll: ["微信交易账单（全部）", "grey"],
  wechatSuccess: ["微信交易账单（成功）", "grey"],
  wechatRefund: ["微信交易账单（退款）", "grey"],
  wechatFund: ["微信资金账单", "grey"],
  alipayTrade: ["支付宝业务明细", "grey"],
  alipayFund: ["支付宝账务明细", "grey"],
  bank: ["银行流水", "grey"],
  till: ["内置收银日账单", "grey"],
};

/** One movement of money as the channel or the bank tells of it. Times are those of China. */
export type StatementLine = {
  /** Of the file, counted from 1. */
  lineNo: number;
  /** The same movement has the same key in every file of an account. */
  rowKey: string;
  /** YYYY-MM-DD HH:mm:ss */
  occurredAt: string;
  direction: "in" | "out";
  /** Above nothing. */
  amount: Fen;
  /** What the channel keeps; below nothing where it gives a fee back. */
  fee: Fen;
  /** What is paid out to the merchant where the channel says so. */
  settleAmount?: Fen;
  outTradeNo?: string;
  channelTradeNo?: string;
  channelRefundNo?: string;
  counterName?: string;
  counterAccount?: string;
  summary?: string;
  balance?: Fen;
  raw: string[];
};

/** Why a line cannot be read; the content is what stands in the cell. */
export type Fault = { line: number; column: string; content: string; reason: string };

/** Whose statement it has to be. */
export type Of = { kind: "wechat" | "alipay" | "bank" | "till"; mchId?: string; subMchId?: string };

/** A row of the table: its cells by the names of its columns, and a way to say what is wrong with one. */
export type Row = {
  no: number;
  raw: string[];
  get: (column: string) => string;
  say: (column: string, reason: string) => undefined;
};

/** What a format makes of the lines of a file, one after the other. */
export type Reading = {
  format: Format;
  /** Where its columns stand, older names among them. */
  columns: Columns;
  /** What one row tells: none where it is wrong, two where a payment was revoked. */
  row: (row: Row) => StatementLine[];
  /** Lines before, between and after the rows that are no rows: comments, totals. True where it was one. */
  aside?: (line: Aside) => boolean;
  /** After the last line: the days that the file says it is about, both included. */
  period?: () => { from: Day; to: Day } | undefined;
  /** After the last line: the sentence that refuses the file as a whole. */
  refusal?: () => string | undefined;
  /** After the last line: what wants a person's yes. */
  warnings?: () => string[];
};
export type Aside = { no: number; text: string; cells: string[] };

/** The columns of a header: where each stands, by the names that formats use. */
export type Columns = ReadonlyMap<string, number>;
export const columnsOf = (cells: readonly string[]): Columns => {
  const columns = new Map<string, number>();
  cells.forEach((cell, i) => {
    const name = headerOf(cell);
    // a name that comes twice means its first column
    if (name && !columns.has(name)) columns.set(name, i);
  });
  return columns;
};

/** Refuses a file that lacks a column: `缺少列：订单金额`. */
export const lacking = (columns: Columns, needed: readonly string[]): string | undefined => {
  const missing = needed.filter((name) => !columns.has(name));
  return missing.length ? `缺少列：${missing.join("、")}` : undefined;
};

/** A text that is there, or nothing; channels write 0 and / for what is not. */
export const told = (text: string): string | undefined => {
  const value = plain(text);
  return value === "" || value === "0" || value === "/" || value === "-" ? undefined : value;
};
