import type { Day } from "../../../platform/kernel/day.ts";
import { durationText } from "../../../platform/kernel/duration.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import { CHANNELS } from "../account/channel.rules.ts";

export const ORDER_STATE = {
  created: ["待付款", "gold"],
  paid: ["已收款", "green"],
  closed: ["已关闭", "grey"],
} as const satisfies Words;
export type OrderState = keyof typeof ORDER_STATE;

/** Channels that take money by a code. */
export const CODE_CHANNEL = { wechat: CHANNELS.wechat, till: CHANNELS.till } as const satisfies Words;
export type CodeChannel = keyof typeof CODE_CHANNEL;
export const CODE_CHANNELS = Object.keys(CODE_CHANNEL) as CodeChannel[];

/** What became of the money: what was wanted came about, or it is the customer's prepayment. */
export const OUTCOME = { held: ["已入账", "green"], kept: ["转预存款", "orange"] } as const satisfies Words;
export type Outcome = keyof typeof OUTCOME;

/** Minutes that a code is good for where nothing else says. */
export const USUAL_MINUTES = 30;

/** Until when a code is good, in milliseconds: as long as what it pays waits, never longer than a day. */
export function expiryOf(now: number, until: number | null): number {
  if (until === null) return now + USUAL_MINUTES * 60_000;
  return Math.min(until, now + 1440 * 60_000);
}

/** The sentence of what a channel tells that does not fit the order, or nothing. */
export const misfit = (order: { amount: Fen }, told: { amount: Fen }): string | undefined =>
  told.amount === order.amount
    ? undefined
    : `渠道通知的金额 ${(told.amount / 100).toFixed(2)} 元与收款单 ${(order.amount / 100).toFixed(2)} 元不符`;

/** 25 分钟, 3 小时: what is left of a code, in begun minutes. */
export const leftText = (seconds: number): string => {
  const minutes = Math.max(0, Math.ceil(seconds / 60));
  return minutes ? durationText(minutes * 60) : "0 分钟";
};

/** Written on the till and wherever its accounts stand: nobody shall take it for money at a bank. */
export const TILL_NOTE = "内置收银只在本系统内记账，不经过银行或第三方支付，不产生实际资金划转";

/** Its customers only say that they paid, so the real thing has it only where somebody wants it. */
export const tillOn = (of: { MODE: string; EMBEDDED_TILL?: boolean | undefined }): boolean =>
  of.EMBEDDED_TILL ?? of.MODE === "demo";
export const TILL_OFF = "内置收银未启用，请接入支付渠道";

/** What a channel knows of a payment. */
export type PaymentTold = {
  about: "payment";
  orderNo: string;
  state: "open" | "paid" | "closed";
  amount: Fen;
  tradeNo: string;
  /** ISO instant; empty while nothing was paid. */
  paidAt: string;
  payer: string;
};

/** What it knows of a refund. `open`: it is on its way. */
export type RefundTold = {
  about: "refund";
  refundNo: string;
  state: "open" | "done" | "failed";
  /** The channel's own number. */
  refundId: string;
  message: string;
};

export type Told = PaymentTold | RefundTold;

/** Where the customer meets the channel: a code that is scanned, or its page on their own phone. */
export type PayBy = "scan" | "page";
export type OrderAsked = {
  orderNo: string;
  title: string;
  amount: Fen;
  expiresAt: Date;
  by: PayBy;
  /** The customer's address; channels ask for it before they show a page. */
  ip: string;
};
export type RefundAsked = {
  /** The same on every try: the channel pays it once. */
  refundNo: string;
  orderNo: string;
  amount: Fen;
  /** Of the whole payment. */
  total: Fen;
  reason: string;
};

/** A notification byte for byte, with its headers. */
export type Notification = { body: string; header: (name: string) => string | undefined };

/**
 * A channel through which customers pay by a code. What it refuses for good is a Refusal; a time-out or a service out
 * of order is any other error, and then nobody knows: ask again, never send under a new number.
 */
export type PayDriver = {
  /** True when no money moves outside this house. */
  embedded: boolean;
  /** Answers what the code says, or where the page is; null for an address of this house. */
  create: (order: OrderAsked) => Promise<string | null>;
  query: (orderNo: string) => Promise<PaymentTold | undefined>;
  close: (orderNo: string) => Promise<void>;
  refund: (refund: RefundAsked) => Promise<RefundTold>;
  queryRefund: (refundNo: string) => Promise<RefundTold | undefined>;
  /** The channel's bill of a day that has ended, as it gives it out; "none" where nothing moved. Missing where it cannot be fetched. */
  bill?: (day: Day) => Promise<Buffer | "none">;
  /** What a notification says, once its signature was found right. Throws a Refusal (401) otherwise. */
  verify: (notification: Notification) => Promise<Told>;
};
