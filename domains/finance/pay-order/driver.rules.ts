import type { Fen } from "../../../platform/kernel/fen.ts";

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

export type OrderAsked = { orderNo: string; title: string; amount: Fen; expiresAt: Date };
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
  /** Answers what the code says, or null for an address of this house. */
  create: (order: OrderAsked) => Promise<string | null>;
  query: (orderNo: string) => Promise<PaymentTold | undefined>;
  close: (orderNo: string) => Promise<void>;
  refund: (refund: RefundAsked) => Promise<RefundTold>;
  queryRefund: (refundNo: string) => Promise<RefundTold | undefined>;
  /** What a notification says, once its signature was found right. Throws a Refusal (401) otherwise. */
  verify: (notification: Notification) => Promise<Told>;
};
