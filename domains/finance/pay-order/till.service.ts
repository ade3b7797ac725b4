import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { sql } from "kysely";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type TillEntry, tillBill } from "./till-bill.rules.ts";
import type { Notification, PayDriver, PaymentTold, RefundTold } from "./pay-order.rules.ts";

type Place = Pick<Read, "tx" | "cipher" | "now">;
type Row = {
  orderNo: string;
  state: "open" | "paid" | "closed";
  amount: number;
  tradeNo: string | null;
  paidAt: string | null;
  expiresAt: string;
};

const forged = () => new Refusal("forged", "通知签名验证失败", 401);
const sealOf = ({ cipher }: Place, accountId: number, body: string): string =>
  createHmac("sha256", cipher.hash(`till ${accountId}`))
    .update(body)
    .digest("hex");

/** A notification of the embedded cashier, signed as one from outside would be. */
export function tillNotification(place: Place, accountId: number, told: PaymentTold): Notification {
  const body = JSON.stringify(told);
  const headers: Record<string, string> = { "till-signature": sealOf(place, accountId, body) };
  return { body, header: (name) => headers[name.toLowerCase()] };
}

async function orderAt({ tx }: Place, orderNo: string, lock = false): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select order_no "orderNo", state, amount, trade_no "tradeNo", paid_at "paidAt", expires_at "expiresAt"
    from till_order where order_no = ${orderNo} ${lock ? sql`for update` : sql``}`.execute(tx);
  return rows[0];
}

const toldOf = (row: Row): PaymentTold => ({
  about: "payment",
  orderNo: row.orderNo,
  state: row.state,
  amount: row.amount,
  tradeNo: row.tradeNo ?? "",
  paidAt: row.paidAt ? new Date(row.paidAt).toISOString() : "",
  payer: "",
});

/** The payer has confirmed: the cashier books the payment, once, and answers what it now tells. */
export async function payAtTill(place: Place, orderNo: string): Promise<PaymentTold> {
  const row = await orderAt(place, orderNo, true);
  if (!row) throw new Refusal("notFound", "收款单不存在", 404);
  if (row.state === "closed" || (row.state === "open" && new Date(row.expiresAt) <= place.now))
    throw new Refusal("closed", "收款码已失效，请联系工作人员重新出示");
  if (row.state === "paid") return toldOf(row);
  const paid = { ...row, state: "paid" as const, tradeNo: tradeNumber(), paidAt: place.now.toISOString() };
  await place.tx
    .updateTable("tillOrder")
    .set({ state: "paid", tradeNo: paid.tradeNo, paidAt: paid.paidAt })
    .where("orderNo", "=", orderNo)
    .execute();
  return toldOf(paid);
}

/** What came and went on a day of the house, in the order of time. */
async function entriesOn({ tx }: Place, accountId: number, day: Day, timeZone: string): Promise<TillEntry[]> {
  const on = (column: string) => {
    const midnight = (at: Day) => sql`${at}::date::timestamp at time zone ${timeZone}`;
    return sql`${sql.ref(column)} >= ${midnight(day)} and ${sql.ref(column)} < ${midnight(addDays(day, 1))}`;
  };
  const { rows } = await sql<TillEntry>`
    select to_char(x.at at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI:SS') at, x."tradeNo", x."orderNo", x."refundId",
      x."refundNo", x.amount
    from (select o.paid_at at, o.trade_no "tradeNo", o.order_no "orderNo", null "refundId", null "refundNo", o.amount
        from till_order o where o.merchant_account_id = ${accountId} and ${on("o.paid_at")}
      union all select r.done_at, o.trade_no, o.order_no, r.refund_id, r.refund_no, r.amount
        from till_refund r join till_order o on o.order_no = r.order_no
        where o.merchant_account_id = ${accountId} and ${on("r.done_at")}) x
    order by x.at, x."tradeNo", x."refundId" nulls first`.execute(tx);
  return rows;
}

const tradeNumber = () => `NZ${randomUUID().replaceAll("-", "").toUpperCase()}`;

/** The embedded default: a cashier with a book of its own, on this machine. */
export function tillDriver(place: Place, accountId: number, timeZone: string): PayDriver {
  const { tx, now } = place;
  const refundAt = async (refundNo: string): Promise<RefundTold | undefined> => {
    const row = await tx
      .selectFrom("tillRefund")
      .select("refundId")
      .where("refundNo", "=", refundNo)
      .executeTakeFirst();
    return row && { about: "refund", refundNo, state: "done", refundId: row.refundId, message: "" };
  };
  return {
    embedded: true,
    create: async ({ orderNo, amount, expiresAt }) => {
      await tx
        .insertInto("tillOrder")
        .values({ orderNo, amount, merchantAccountId: accountId, expiresAt: expiresAt.toISOString() })
        .execute();
      return null;
    },
    query: async (orderNo) => {
      const row = await orderAt(place, orderNo);
      return row && toldOf(row);
    },
    close: async (orderNo) => {
      await tx
        .updateTable("tillOrder")
        .set({ state: "closed" })
        .where("orderNo", "=", orderNo)
        .where("state", "=", "open")
        .execute();
    },
    refund: async ({ refundNo, orderNo, amount }) => {
      const row = await orderAt(place, orderNo, true);
      const known = await refundAt(refundNo);
      if (known) return known;
      const taken =
        row?.state === "paid" &&
        (await tx
          .updateTable("tillOrder")
          .set((eb) => ({ refunded: eb("refunded", "+", amount) }))
          .where("orderNo", "=", orderNo)
          .where((eb) => eb(eb("refunded", "+", amount), "<=", eb.ref("amount")))
          .returning("orderNo")
          .executeTakeFirst());
      if (!taken)
        return { about: "refund", refundNo, state: "failed", refundId: "", message: "原收款单可退金额不足" };
      const refundId = tradeNumber();
      await tx
        .insertInto("tillRefund")
        .values({ refundNo, orderNo, amount, refundId, doneAt: now.toISOString() })
        .execute();
      return { about: "refund", refundNo, state: "done", refundId, message: "" };
    },
    queryRefund: refundAt,
    bill: async (day) => {
      const entries = await entriesOn(place, accountId, day, timeZone);
      return entries.length ? Buffer.from(tillBill(entries)) : "none";
    },
    verify: async ({ body, header }) => {
      const given = Buffer.from(header("till-signature") ?? "", "hex");
      const right = Buffer.from(sealOf(place, accountId, body), "hex");
      if (given.length !== right.length || !timingSafeEqual(given, right)) throw forged();
      return JSON.parse(body) as PaymentTold;
    },
  };
}
