import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import {
  amongWords,
  from,
  fromDay,
  is,
  named,
  phrase,
  to,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import { entriesShown } from "../journal/shown.service.ts";
import {
  type RefundFilter,
  type RefundRow,
  type VillageRow,
  type getRefund,
  listRefunds,
  refundsByVillage,
} from "./refund.contract.ts";
import { type Part, type RefundSource, type RefundState, type Route, TABS } from "./refund.rules.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { Holding } from "./held.queries.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** A refund as acts work with it. */
export type Refund = Omit<Holding, "source"> & {
  id: number;
  source: RefundSource;
  refundNo: string;
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

/** Money of a balance; a transfer by mistake is in none, it is owed from the start. */
export const isHeld = <R extends Pick<Refund, "source">>(r: R): r is R & Pick<Holding, "source"> =>
  r.source !== "transfer";

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
  /** A line of the channel has told of it: it was never sent. */
  told: boolean;
  /** Of the payment that goes back. */
  outTradeNo: string | null;
  total: Fen | null;
  channel: string | null;
};

const COLUMNS = sql`a.id, a.refund_id "refundId", a.seq, a.route, a.original_flow_id "originalFlowId",
  a.merchant_account_id "merchantAccountId", a.channel_refund_no "channelRefundNo", a.amount, a.state, a.asked,
  a.flow_id "flowId", a.told_line_id is not null told, f.out_trade_no "outTradeNo", f.amount total, f.channel`;

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
  return aRow(read, "refundAttempt", ["id", "refundId"], { channelRefundNo });
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

/** Number, customer, room, payee, or the last four digits of the account. */
function keywordMeans(keyword: string): RawBuilder<SqlBool> {
  if (/^TK\d/i.test(keyword)) return sql`r.refund_no like ${beginning(keyword.toUpperCase())}`;
  const tail = /^\d{4}$/.test(keyword) ? sql`or r.payee_tail = ${keyword}` : sql``;
  return sql`(r.party_id in (select id from party where ${named("name")(keyword)} or phone = ${keyword})
    or r.room_id in (select id from room where ${named("full_name")(keyword)}) or ${phrase("r.payee_name")(keyword)} ${tail})`;
}

/** What is not paid yet of the refunds in some states. */
const left = (states: readonly string[]) =>
  sql`coalesce(sum(r.amount - r.paid) filter (where ${amongWords("r.state")(states)}), 0)::bigint`;
/** By what has become of the money, also where a refund was paid in part. */
const MONEY = sql<
  Pick<VillageRow, "amount" | "approving" | "toPay" | "paying" | "failed" | "paid">
>`coalesce(sum(r.amount), 0)::bigint amount, ${left(TABS.approving.states)} approving,
  ${left(TABS.toPay.states)} "toPay", ${left(TABS.paying.states)} paying, ${left(TABS.failed.states)} failed,
  coalesce(sum(r.paid), 0)::bigint paid`;

const where = {
  source: amongWords("r.source"),
  route: amongWords("r.route"),
  appliedFrom: fromDay("r.created_at"),
  appliedTo: toDay("r.created_at"),
  paidFrom: fromDay("r.paid_at"),
  paidTo: toDay("r.paid_at"),
  amountFrom: from("r.amount"),
  amountTo: to("r.amount"),
  partyId: is("r.party_id"),
};

/** Refunds, the newest first; what waits to be paid, the oldest. Days are the business's. */
export const refunds = listOf(listRefunds, {
  id: "r.id",
  from: sql`refund r`,
  village: "r.village_id",
  where: {
    ...where,
    tab: (tab) => (tab === "all" ? undefined : amongWords("r.state")(TABS[tab].states)),
    keyword: keywordMeans,
  },
  sort: {
    createdAt: { by: "r.created_at", indexed: true },
    amount: { by: "r.amount", indexed: true },
    paidAt: { order: (way) => sql`r.paid_at ${way} nulls last, r.id ${way}`, way: "desc" },
  },
  order: ({ tab }) => ({ sort: "createdAt", order: tab === "toPay" ? "asc" : "desc" }),
  columns: sql<RefundRow>`r.id, r.refund_no "refundNo", r.source, r.source_id "sourceId", coalesce(s.number, c.contract_no, case r.source when 'transfer' then '对公流水' end) "sourceNo",
    s.id "reservationId", r.contract_id "contractId", c.kind "contractKind", r.village_id "villageId", v.name "villageName",
    r.party_id "partyId", p.kind "partyKind", p.name "partyName", r.room_id "roomId", m.full_name "roomName", r.amount,
    r.paid, r.route, r.payee_name "payeeName", r.payee_bank "payeeBank",
    case when r.payee_tail = '' then '' else '****' || r.payee_tail end "payeeTail", r.reason, r.state,
    coalesce(o.real_name, '系统') applicant, r.created_at "createdAt", r.paid_at "paidAt", r.failure,
    r.filed_at "filedAt", r.state = 'approving' or exists (select from examine e
      where e.target_kind = 'refund' and e.target_id = r.id and e.state = 'approving') frozen, r.version`,
  join: sql`join refund r on r.id = page.id join village v on v.id = r.village_id join party p on p.id = r.party_id
    left join room m on m.id = r.room_id left join contract_brief c on c.id = r.contract_id
    left join reservation_brief s on s.bill_id = r.source_id and r.source = 'earnest'
    left join operator o on o.id = r.created_by`,
  sums: {
    select: MONEY,
  },
});

/** How many stand in each tab. */
export const refundCounts = (
  read: Read,
  filter: Omit<RefundFilter, "tab">,
): Promise<Record<string, number>> =>
  refunds.counts(read, filter, {
    all: sql`true`,
    ...Object.fromEntries(
      Object.entries(TABS).map(([key, { states }]) => [key, amongWords("r.state")(states)]),
    ),
  });

const DAY = 86_400;
/** What the refunds of a store come to; averages are over all of them. `waiting` is the longest, in days. */
const figures = (read: Read) => sql<Omit<VillageRow, "id" | "villageName">>`count(*)::int applied, ${MONEY},
  (count(*) filter (where r.state = 'paid'))::int "paidCount",
  round(avg(extract(epoch from r.paid_at - r.created_at) / ${DAY}) filter (where r.state = 'paid'), 1)::float8 days,
  round(max(extract(epoch from ${read.now.toISOString()}::timestamptz - r.created_at) / ${DAY})
    filter (where r.state in ('applied', 'approving', 'toPay', 'paying', 'failed')), 1)::float8 waiting`;

/** The same, a row for each store. */
export const villagesRefunds = listOf(refundsByVillage, {
  id: "r.village_id",
  grouped: figures,
  from: sql`refund r`,
  village: "r.village_id",
  where,
  sort: { toPay: sql`"toPay"`, amount: sql`amount`, paid: sql`paid` },
  order: "toPay",
  tie: sql`id`,
  columns: sql<VillageRow>`page.*, v.name "villageName"`,
  join: sql`join village v on v.id = page.id`,
  sums: { select: figures },
});

type Detail = z.input<typeof getRefund.reply>;
type Head = Pick<Detail, "relation" | "routeNote" | "approvedAt" | "endReason">;

export async function refundDetailOf(read: Read, id: number): Promise<Detail> {
  const row = await refunds.one(read, id);
  const head = await sql<Head>`
    select relation, route_note "routeNote", approved_at "approvedAt", end_reason "endReason" from refund
    where id = ${id}`.execute(read.tx);
  const attempts = await attemptsShown(read, id);
  return {
    ...row,
    ...head.rows[0]!,
    files: (await filesOf(read, "refund", [id])).get(id) ?? [],
    parts: await partsShown(read, id),
    attempts,
    entries: await entriesShown(read, [
      { type: "refund", ids: [id] },
      { type: "flow", ids: attempts.flatMap((a) => a.flowId ?? []) },
    ]),
    log: await logOf(read, "refund", id),
  };
}

async function partsShown(read: Read, id: number): Promise<Detail["parts"]> {
  const { rows } = await sql<Detail["parts"][number]>`
    select p.seq + 1 id, p.flow_id "flowId", coalesce(f.flow_no, '期初余额') "flowNo", f.paid_on "paidOn", p.amount
    from refund_part p left join flow f on f.id = p.flow_id where p.refund_id = ${id} order by p.seq`.execute(
    read.tx,
  );
  return rows;
}

async function attemptsShown(read: Read, id: number): Promise<Detail["attempts"]> {
  const { rows } = await sql<Detail["attempts"][number]>`
    select a.id, a.requested_at "requestedAt", a.route, a.channel_refund_no "channelRefundNo",
      coalesce(m.name, '') "accountName", a.amount, a.state, a.message, a.flow_id "flowId", f.flow_no "flowNo"
    from refund_attempt a left join merchant_account m on m.id = a.merchant_account_id
    left join flow f on f.id = a.flow_id where a.refund_id = ${id} order by a.seq desc`.execute(read.tx);
  return rows;
}
