import { sql, type RawBuilder, type SqlBool } from "kysely";
import {
  among,
  amongWords,
  from,
  fromDay,
  is,
  to,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { listFlows, type FlowRow, type FlowTab } from "./flow.contract.ts";
import { hitsOf } from "./keyword.queries.ts";

/** Each tab but the first is served by an index of its own, so these read exactly as their predicates. */
const TABS: Record<FlowTab, RawBuilder<SqlBool>> = {
  all: sql`true`,
  pending: sql`f.state = 'pending'`,
  rest: sql`f.unallocated > 0 and f.state = 'confirmed' and f.direction = 'in'`,
  reversed: sql`f.state = 'reversed'`,
};

/** Flows, the newest first; days are the business's. Waiting, rejected and reversed ones are counted but moved no money. */
export const flows = listOf(listFlows, {
  id: "f.id",
  from: sql`flow f`,
  village: "f.village_id",
  where: {
    tab: (tab) => TABS[tab],
    direction: is("f.direction"),
    channel: amongWords("f.channel"),
    accountIds: among("f.merchant_account_id"),
    state: amongWords("f.state"),
    kind: amongWords("f.kind"),
    reconcile: amongWords("f.reconcile_state"),
    partyId: is("f.party_id"),
    contractId: (id) => sql`f.id in (select a.flow_id from allocation a join bill b on b.id = a.bill_id
      where b.contract_id = ${id})`,
    paidFrom: fromDay("f.paid_at"),
    paidTo: toDay("f.paid_at"),
    amountFrom: from("f.amount"),
    amountTo: to("f.amount"),
    unallocated: (wanted) => (wanted === "true" ? TABS.rest : undefined),
    keyword: (text, read) => hitsOf(read, text),
  },
  sort: { paidAt: { by: "f.paid_at", indexed: true }, amount: { by: "f.amount", indexed: true } },
  order: "paidAt",
  walk: {
    along: ({ sort }) =>
      sort === "amount" ? ["tab", "amountFrom", "amountTo"] : ["tab", "paidFrom", "paidTo"],
  },
  columns: sql<FlowRow>`f.id, f.flow_no "flowNo", f.paid_at "paidAt", f.direction, f.kind, f.channel,
    f.merchant_account_id "merchantAccountId", a.name "accountName", f.village_id "villageId",
    v.name "villageName", f.party_id "partyId", p.kind "partyKind", p.name "partyName", f.room_id "roomId",
    r.full_name "roomName", f.payer_name "payerName", f.amount,
    case when f.direction = 'in' then f.amount end "amountIn",
    case when f.direction = 'out' then f.amount end "amountOut", f.fee, f.allocated, f.refunded,
    case when f.state = 'confirmed' and f.direction = 'in' then f.unallocated else 0 end unallocated, f.state,
    f.reconcile_state "reconcileState", f.channel_trade_no "channelTradeNo", f.remark,
    coalesce(o.real_name, '系统') creator, f.created_by "createdBy", f.version`,
  join: sql`join flow f on f.id = page.id join merchant_account a on a.id = f.merchant_account_id
    join village v on v.id = f.village_id left join party p on p.id = f.party_id
    left join room r on r.id = f.room_id left join operator o on o.id = f.created_by`,
  sums: {
    select: sql`
      coalesce(sum(f.amount) filter (where f.direction = 'in' and f.state = 'confirmed'), 0)::bigint "amountIn",
      coalesce(sum(f.amount) filter (where f.direction = 'out' and f.state = 'confirmed'), 0)::bigint "amountOut",
      coalesce(sum(f.fee) filter (where f.state in ('confirmed', 'reversed')), 0)::bigint fee,
      coalesce(sum(f.unallocated) filter (where f.direction = 'in' and f.state = 'confirmed'), 0)::bigint unallocated`,
  },
});

/** How many flows wait for a second person, and how many have money that pays nothing yet; each from its own index. */
export async function flowsWaiting(read: Read, villageIds: number[] | undefined) {
  const waiting = async (tab: "pending" | "rest") => sql`(
    select count(*)::int from flow f where ${await flows.condition(read, { villageIds, tab })})`;
  const { rows } = await sql<{ pending: number; rest: number }>`
    select ${await waiting("pending")} pending, ${await waiting("rest")} rest`.execute(read.tx);
  return rows[0]!;
}
