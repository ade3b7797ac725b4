import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { AccountKind } from "../account/channel.rules.ts";

/** The page. */
export const SUMMARY = "/accountManage/accountSummary";

/** Kinds of account in their order; last what head office holds of a store's money. */
export const SUMMARY_KIND: Words<AccountKind | "share"> = {
  bank: ["银行", "grey"],
  wechat: ["微信", "grey"],
  alipay: ["支付宝", "grey"],
  unionpay: ["银联", "grey"],
  pos: ["POS", "grey"],
  till: ["内置收银", "grey"],
  cash: ["现金", "grey"],
  share: ["本店份额", "grey"],
};
export const KIND_ORDER = Object.keys(SUMMARY_KIND) as (keyof typeof SUMMARY_KIND)[];
export const SHARE_NAME = "公司账户（本店份额）";

export type Movement = { event: string; debit: Fen; credit: Fen };
export type Figures = Record<
  "opening" | "received" | "movedIn" | "refunded" | "paid" | "movedOut" | "fee" | "closing",
  Fen
>;

const RECEIPTS: readonly string[] = ["E06", "E16", "E17", "E28"];

/**
 * An account over some days (R4): what was there, what moved it and how, what is there. Opening balances that were
 * brought in meanwhile count as there before; a reversal counts against what it takes back.
 */
export function figuresOf(before: Fen, moved: readonly Movement[]): Figures {
  const f: Figures = {
    opening: before,
    received: 0,
    movedIn: 0,
    refunded: 0,
    paid: 0,
    movedOut: 0,
    fee: 0,
    closing: 0,
  };
  for (const { event, debit, credit } of moved) {
    if (event === "E30") f.opening += debit - credit;
    else if (RECEIPTS.includes(event)) f.received += debit - credit;
    else if (event === "E10") {
      f.received -= credit;
      f.paid -= debit;
    } else if (event === "E13") f.refunded += credit - debit;
    else if (event === "E26") f.paid += credit - debit;
    else if (event === "E07") f.fee += credit - debit;
    else {
      f.movedIn += debit;
      f.movedOut += credit;
    }
  }
  f.closing = f.opening + f.received + f.movedIn - f.refunded - f.paid - f.movedOut - f.fee;
  return f;
}

export const sumOf = (rows: readonly Figures[]): Figures => {
  const sum = (key: keyof Figures) => rows.reduce((all, row) => all + row[key], 0);
  return {
    opening: sum("opening"),
    received: sum("received"),
    movedIn: sum("movedIn"),
    refunded: sum("refunded"),
    paid: sum("paid"),
    movedOut: sum("movedOut"),
    fee: sum("fee"),
    closing: sum("closing"),
  };
};
