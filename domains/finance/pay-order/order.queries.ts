import { type RawBuilder, sql } from "kysely";
import { createHash } from "node:crypto";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Purpose } from "../account/channel.rules.ts";
import { type CodeChannel, type OrderState, type Outcome, TILL_OFF, tillOn } from "./pay-order.rules.ts";

export type PayOrder = {
  id: number;
  orderNo: string;
  villageId: number;
  partyId: number;
  targetKind: string;
  targetId: number;
  title: string;
  channel: CodeChannel;
  merchantAccountId: number;
  accountName: string;
  amount: Fen;
  code: string | null;
  expiresAt: string;
  state: OrderState;
  paidAt: string | null;
  flowId: number | null;
  outcome: Outcome | null;
  problem: string;
  createdBy: number | null;
};

export const hashOfToken = (token: string): Buffer => createHash("sha256").update(token).digest();

async function orderWhere(
  read: Pick<Read, "tx">,
  where: RawBuilder<unknown>,
  lock: boolean,
): Promise<PayOrder | undefined> {
  const { rows } = await sql<PayOrder>`
    select o.id, o.order_no "orderNo", o.village_id "villageId", o.party_id "partyId", o.target_kind "targetKind",
      o.target_id "targetId", o.title, o.channel, o.merchant_account_id "merchantAccountId", a.name "accountName",
      o.amount, o.code, o.expires_at "expiresAt", o.state, o.paid_at "paidAt", o.flow_id "flowId", o.outcome, o.problem,
      o.created_by "createdBy"
    from pay_order o join merchant_account a on a.id = o.merchant_account_id
    where ${where} ${lock ? sql`for update of o` : sql``}`.execute(read.tx);
  return rows[0];
}

type Place = Pick<Read, "tx">;
export const orderById = (read: Place, id: number, lock = false) => orderWhere(read, sql`o.id = ${id}`, lock);
export const orderByNo = (read: Place, orderNo: string, lock = false) =>
  orderWhere(read, sql`o.order_no = ${orderNo}`, lock);
export const orderByToken = (read: Place, token: string, lock = false) =>
  orderWhere(read, sql`o.token_hash = ${hashOfToken(token)}`, lock);
export const openOrderOf = (read: Place, kind: string, id: number, lock = false) =>
  orderWhere(read, sql`o.target_kind = ${kind} and o.target_id = ${id} and o.state = 'created'`, lock);

/** A way to pay by a code at a store, and why it cannot be used now. */
export type Way = {
  channel: CodeChannel;
  merchantAccountId: number;
  accountName: string;
  why: string;
};

/** Through which accounts a store takes money of a purpose by a code: what its H5 terminal is set up for. */
export async function waysOf(
  read: Pick<Read, "tx" | "settings">,
  villageId: number,
  purpose: Exclude<Purpose, "all">,
): Promise<Way[]> {
  const { rows } = await sql<Way>`
    select distinct on (u.pay_type) u.pay_type channel, a.id "merchantAccountId", a.name "accountName",
      case when not a.enabled then '该账户已停用'
        when a.kind = 'wechat' and (select count(*) from merchant_key k where k.merchant_account_id = a.id
          and k.name in ('apiV3Key', 'certSerialNo', 'privateKey')) < 3 then '账户未设置密钥'
        else '' end why
    from village_account u join merchant_account a on a.id = u.merchant_account_id
    where u.village_id = ${villageId} and u.terminal = 'h5' and u.enabled and u.pay_type in ('wechat', 'till')
      and u.purpose in ('all', ${purpose})
    order by u.pay_type, u.purpose = ${purpose} desc`.execute(read.tx);
  const off = (way: Way) => way.channel === "till" && !tillOn(read.settings);
  // the channel of the world before that of the house
  return rows
    .map((way) => (off(way) ? { ...way, why: TILL_OFF } : way))
    .toSorted((a, b) => b.channel.localeCompare(a.channel));
}

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
