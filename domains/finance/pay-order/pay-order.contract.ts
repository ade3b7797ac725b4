import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { CODE_CHANNEL, type CodeChannel, ORDER_STATE, OUTCOME } from "./pay-order.rules.ts";
import { callsAt } from "../../../platform/kernel/records.ts";

const tills = callsAt("/billing/api/v3/till", "flow");

/** Who takes money at the counter, or asks for it on the bill page. */
export const TAKES = ["102.add", "26.add"] as const;
const orders = callsAt("/billing/api/v3/payOrder", "flow");

/** An order as whoever shows its code sees it. */
export const payOrder = z.object({
  id: f.id,
  orderNo: f.text("收款单号"),
  title: f.text("款项"),
  amount: f.money("金额"),
  channel: f.status("渠道", CODE_CHANNEL),
  accountName: f.text("收款账户"),
  state: f.status("状态", ORDER_STATE),
  outcome: f.status("结果", OUTCOME).nullable(),
  expiresAt: f.instant("有效期至"),
  problem: f.text("异常"),
});

/** With what the code says: an address of the channel, or the end of one of this house. */
export const shownOrder = payOrder.extend({ code: z.string().nullable(), token: z.string() });

/** What is to be paid by a code, as a page shows it; other domains fill the slot `pay.code` with it. */
export type Coded = {
  /** Whose money: 收款码 沈知夏. */
  title: string;
  villageId: number;
  purpose: "rent" | "deposit";
  /** What is to be paid, while no order says it. */
  amount: Fen;
  what: string;
  /** Makes the orders, or answers those that are open; several are paid one after the other. */
  show: (
    channel: CodeChannel | undefined,
    idempotencyKey: string,
  ) => Promise<readonly z.output<typeof shownOrder>[]>;
  /** What became of it once all is paid; `kept` when money became the customer's prepayment. */
  said: (kept: boolean) => { toast: string; text: string };
  onCounter?: (() => void) | undefined;
};

/** What a store takes money by a code through. */
export const payWays = orders.get("/ways", "门店的扫码收款方式", TAKES, {
  query: z.object({
    villageId: z.coerce.number().pipe(f.id),
    purpose: z.enum(["rent", "deposit"]).default("deposit"),
  }),
  reply: z.array(
    z.object({ channel: f.status("渠道", CODE_CHANNEL), accountName: f.text("收款账户"), why: z.string() }),
  ),
});

export const getPayOrder = orders.get("/:id", "收款码状态", TAKES, { target: "flow", reply: payOrder });

/** Asks the channel now, for a payment whose notification is late. */
export const askPayOrder = orders.post("/:id/ask", "查询付款结果", TAKES, { reply: payOrder });

export const closePayOrder = orders.put("/:id/close", "关闭收款码", TAKES, { reply: payOrder });

/** Where channels tell of payments and refunds. Who may tell is what the signature says. */
export const payNotify = callsAt("/billing/api/v3/payNotify").post("/:account", "支付渠道通知", "public", {
  raw: true,
  params: z.object({ account: z.coerce.number().pipe(f.id) }),
  reply: z.null(),
});

const token = z.object({ token: f.secret(z.string().regex(/^[A-Za-z0-9_-]{20,64}$/)) });
const tillOrder = z.object({
  orderNo: z.string(),
  title: z.string(),
  /** Whom the money is paid to. */
  payee: z.string(),
  store: z.string(),
  payer: z.string(),
  amount: z.number(),
  state: z.enum(["created", "paid", "closed"]),
  secondsLeft: z.number(),
  tradeNo: z.string(),
});

/** What the payer sees at the embedded till before anything is paid. */
export const readTill = tills.get("/:token", "查看收银台", "public", {
  perMinute: 120,
  params: token,
  reply: tillOrder,
});

/** The payer confirms. The order makes it happen once, however often it is pressed. */
export const payTill = tills.post("/:token/pay", "收银台付款", "public", {
  perMinute: 30,
  params: token,
  reply: tillOrder,
});
