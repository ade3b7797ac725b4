import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { hashOfToken } from "./order.queries.ts";

/** 沈*夏: whoever holds the code sees for whom it is, and no more. */
const masked = (name: string): string =>
  name.length < 3 ? `${name.slice(0, 1)}*` : `${name.slice(0, 1)}*${name.slice(-1)}`;

type Row = {
  orderNo: string;
  title: string;
  payee: string;
  store: string;
  name: string;
  amount: number;
  state: "created" | "paid" | "closed";
  expiresAt: string;
  tradeNo: string;
};

/** An order at the embedded till, as the payer sees it. */
export async function shownAtTill(read: Read, token: string) {
  const { rows } = await sql<Row>`
    select o.order_no "orderNo", o.title, e.name payee, v.name store, p.name, o.amount, o.state,
      o.expires_at "expiresAt", coalesce(o.channel_trade_no, '') "tradeNo"
    from pay_order o join village v on v.id = o.village_id join enterprise e on e.id = v.enterprise_id
    join party p on p.id = o.party_id
    where o.token_hash = ${hashOfToken(token)} and o.channel = 'till'`.execute(read.tx);
  const [row] = rows;
  if (!row) throw new Refusal("notFound", "收款码不存在或已失效", 404);
  const { name, expiresAt, ...order } = row;
  const left = Math.floor((new Date(expiresAt).getTime() - read.now.getTime()) / 1000);
  const over = order.state === "created" && left <= 0;
  return {
    ...order,
    state: over ? ("closed" as const) : order.state,
    payer: masked(name),
    secondsLeft: Math.max(left, 0),
  };
}
