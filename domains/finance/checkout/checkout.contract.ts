import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { shownOrder, TAKES } from "../pay-order/pay-order.contract.ts";
import { CODE_CHANNEL } from "../pay-order/pay-order.rules.ts";
import { MOST_BILLS } from "./checkout.rules.ts";

const bills = callsAt("/billing/api/v3/bill", "bill");
const links = callsAt("/billing/api/v3/payLink");

const billIds = f.ids().min(1, "请选择账单").max(MOST_BILLS, `一次最多处理${MOST_BILLS}笔`);

/**
 * The codes that bills of one party are paid by: one for each account that their money goes to. Without shares it is all
 * that is open on the bills; a share pays a part.
 */
export const showBillCode = bills.post("/payOrder", "出示账单收款码", TAKES, {
  money: true,
  body: z.object({
    billIds,
    shares: z
      .array(
        z.object({
          billId: f.id,
          /** null: the late fee that stands on no line yet. */
          lineId: f.id.nullable(),
          amount: f.amount("本次收款"),
        }),
      )
      .min(1)
      .max(2000)
      .optional(),
    channel: f.choice("收款方式", CODE_CHANNEL).optional(),
  }),
  reply: z.array(shownOrder),
});

/** What became of one customer's message. */
export const sentLink = z.object({
  partyId: f.id,
  partyName: f.person("客户"),
  villageName: f.text("门店"),
  bills: f.number("账单数"),
  amount: f.money("待付金额"),
  phone: f.phone("手机号"),
  /** Why nothing was sent. */
  refusal: f.text("结果").nullable(),
  /** Once, for who sends it: the customer may scan it at the desk. */
  path: f.secret(z.string()).nullable(),
});

/** One message to each customer of the bills, with a page that shows and takes what they owe. */
export const sendPayLinks = bills.post("/payLink", "发送付款链接", "26.add", {
  timeout: 60_000,
  body: z.object({ billIds }),
  reply: z.array(sentLink),
});

const token = z.object({ token: f.secret(z.string().regex(/^[A-Za-z0-9_-]{20,64}$/)) });

const order = z.object({
  orderNo: z.string(),
  amount: z.number(),
  state: z.enum(["created", "paid"]),
  paidAt: z.string(),
  /** True when some of the money fitted no bill any more and is the customer's prepayment. */
  kept: z.boolean(),
});

const linkPage = z.object({
  enterprise: z.string(),
  store: z.string(),
  payer: z.string(),
  /** Why nothing can be paid here now; empty where it can. */
  why: z.string(),
  bills: z.array(
    z.object({
      id: f.id,
      title: z.string(),
      room: z.string(),
      dueDate: z.string(),
      owed: z.number(),
      /** False of what the link did not ask for. */
      asked: z.boolean(),
      lines: z.array(z.object({ subject: z.string(), period: z.string(), owed: z.number() })),
    }),
  ),
  /** How many other bills of the customer are open here. */
  others: z.number(),
  orders: z.array(order),
});

/** What the customer is asked to pay, line by line; `all` shows what else is open. */
export const readPayLink = links.get("/:token", "查看付款链接", "public", {
  perMinute: 120,
  params: token,
  query: z.object({ all: z.literal("1").optional() }),
  reply: linkPage,
});

/** The customer pays chosen bills: where their phone goes on, one address for each account. */
export const payByLink = links.post("/:token/pay", "付款链接付款", "public", {
  perMinute: 20,
  params: token,
  body: z.object({
    billIds,
    /** What the page showed; the page is shown anew where it is another sum by now. */
    total: f.amount("付款金额"),
    /** How the channel is met: its page on this phone, or a code for another one. */
    by: z.enum(["scan", "page"]),
  }),
  reply: z.array(
    z.object({
      orderNo: z.string(),
      amount: z.number(),
      channel: z.enum(["wechat", "till"]),
      /** Of the channel; null where the till of this house takes it. */
      code: z.string().nullable(),
      token: f.secret(z.string()),
    }),
  ),
});
