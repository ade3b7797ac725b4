import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { Holding } from "./held.queries.ts";
import type { Part, RefundSource, RefundState, Route } from "./refund.rules.ts";

/** A refund as acts work with it. */
export type Refund = Holding & {
  id: number;
  refundNo: string;
  source: Exclude<RefundSource, "settlement">;
  partyName: string;
  amount: Fen;
  paid: Fen;
  reason: string;
  status: RefundState;
  route: Route;
  payeeName: string;
  payeeBank: string;
  payeeTail: string;
  payeeAccount: Buffer | null;
  relation: string;
  createdBy: number | null;
  version: number;
};

export async function readRefund(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    select r.id, r.refund_no "refundNo", r.source, r.source_id "sourceId", r.village_id "villageId",
      r.party_id "partyId", p.name "partyName", r.room_id "roomId", r.contract_id "contractId", r.amount, r.paid, r.reason,
      r.state status, r.route, r.payee_name "payeeName", r.payee_bank "payeeBank", r.payee_tail "payeeTail",
      r.payee_account "payeeAccount", r.relation, r.created_by "createdBy", r.version
    from refund r join party p on p.id = r.party_id where r.id = ${id} ${lock ? sql`for update of r` : sql``}`.execute(
    read.tx,
  );
  return rows[0];
}

/** The record when it lies in scope; every act on a refund locks it first. */
export const lockRefund = async (read: Read, id: number): Promise<Refund> =>
  seen(read.who, await readRefund(read, id, true));

/** What was sent and nobody knows of: no other way may be tried meanwhile. */
export async function unsure(read: Pick<Read, "tx">, refundId: number): Promise<boolean> {
  const row = await read.tx
    .selectFrom("refundAttempt")
    .select("id")
    .where("refundId", "=", refundId)
    .where("state", "in", ["requested", "unknown"])
    .executeTakeFirst();
  return row !== undefined;
}

export type Attempt = {
  id: number;
  refundId: number;
  seq: number;
  route: Route;
  originalFlowId: number | null;
  merchantAccountId: number | null;
  channelRefundNo: string;
  amount: Fen;
  state: "requested" | "success" | "failed" | "unknown" | "returned" | "replaced";
  asked: number;
  flowId: number | null;
  /** Of the payment that goes back. */
  outTradeNo: string | null;
  total: Fen | null;
  channel: string | null;
};

const COLUMNS = sql`a.id, a.refund_id "refundId", a.seq, a.route, a.original_flow_id "originalFlowId",
  a.merchant_account_id "merchantAccountId", a.channel_refund_no "channelRefundNo", a.amount, a.state, a.asked,
  a.flow_id "flowId", f.out_trade_no "outTradeNo", f.amount total, f.channel`;

export async function lockAttempt(read: Pick<Read, "tx">, id: number): Promise<Attempt | undefined> {
  const { rows } = await sql<Attempt>`
    select ${COLUMNS} from refund_attempt a left join flow f on f.id = a.original_flow_id
    where a.id = ${id} for update of a`.execute(read.tx);
  return rows[0];
}

export async function attemptOf(
  read: Pick<Read, "tx">,
  channelRefundNo: string,
): Promise<{ id: number; refundId: number } | undefined> {
  return read.tx
    .selectFrom("refundAttempt")
    .select(["id", "refundId"])
    .where("channelRefundNo", "=", channelRefundNo)
    .executeTakeFirst();
}

export async function attemptsOf(read: Pick<Read, "tx">, refundId: number): Promise<Attempt[]> {
  const { rows } = await sql<Attempt>`
    select ${COLUMNS} from refund_attempt a left join flow f on f.id = a.original_flow_id
    where a.refund_id = ${refundId} order by a.seq`.execute(read.tx);
  return rows;
}

/** The money that an approved refund was taken from, with what its channels can still do. */
export async function keptParts(
  read: Pick<Read, "tx">,
  refundId: number,
): Promise<(Part & { merchantAccountId: number | null })[]> {
  const { rows } = await sql<Part & { merchantAccountId: number | null }>`
    select p.flow_id "flowId", coalesce(f.flow_no, '') "flowNo", coalesce(f.channel, '') channel,
      f.merchant_account_id "merchantAccountId", coalesce(f.paid_on, r.created_at::date) "paidOn", (o.id is not null) coded,
      p.amount, p.amount available, coalesce(f.amount, 0) - coalesce(t.gone, 0) rest, coalesce(t.times, 0)::int times
    from refund_part p join refund r on r.id = p.refund_id left join flow f on f.id = p.flow_id
    left join pay_order o on o.flow_id = f.id
    left join lateral (
      select sum(x.amount)::bigint gone, count(*) times from refund_attempt x
      where x.original_flow_id = f.id and x.route = 'channel' and x.state in ('requested', 'unknown', 'success')) t on true
    where p.refund_id = ${refundId}
      and not exists (select from refund_attempt a where a.refund_id = p.refund_id and a.route = 'channel'
        and a.original_flow_id = p.flow_id and a.state = 'success')
    order by p.seq`.execute(read.tx);
  return rows;
}
