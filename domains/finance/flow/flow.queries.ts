import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { z } from "zod";
import { beginning } from "../../../platform/kernel/texts/like.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import {
  among,
  amongWords,
  from,
  fromDay,
  is,
  named,
  oneOf,
  phrase,
  to,
  toDay,
} from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import { logOf } from "../bill-list/detail.queries.ts";
import { entriesShown } from "../journal/shown.service.ts";
import { type FlowRow, type FlowTab, type flowDetail, listFlows } from "./flow.contract.ts";
import type { ReconcileState } from "./flow.rules.ts";

/** Each tab but the first is served by an index of its own, so these read exactly as their predicates. */
const TABS: Record<FlowTab, RawBuilder<SqlBool>> = {
  all: sql`true`,
  pending: sql`f.state = 'pending'`,
  rest: sql`f.unallocated > 0 and f.state = 'confirmed' and f.direction = 'in'`,
  reversed: sql`f.state = 'reversed'`,
};

/** What a flow's record of reconciliation `i` says: both sides agree, or somebody has explained why they do not. */
const AGREES = sql<SqlBool>`(i.result in ('matched', 'feeFixed') or i.resolution in ('accept', 'settle'))`;
/** A claimed flow was made from its line: there is nothing else to compare it with. */
const CLAIMED = sql`exists (select from claim m where m.flow_id = f.id)`;
const recorded = (how: RawBuilder<SqlBool>) =>
  sql<SqlBool>`exists (select from reconcile_item i where i.flow_id = f.id and ${how})`;
const RECONCILED: Record<ReconcileState, RawBuilder<SqlBool>> = {
  none: sql`not (${CLAIMED} or ${recorded(sql`true`)})`,
  matched: sql`(${CLAIMED} or ${recorded(AGREES)})`,
  different: sql`f.id in (select i.flow_id from reconcile_item i where i.flow_id is not null and not coalesce(${AGREES}, false))`,
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
    reconcile: (states) => oneOf(states.map((state) => RECONCILED[state])),
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
    case when ${CLAIMED} or ${AGREES} then 'matched' when i.id is null then 'none' else 'different' end "reconcileState",
    f.channel_trade_no "channelTradeNo", f.remark,
    f.submission_id "submissionId", j.submission_no "submissionNo", j.state "submissionState",
    coalesce(o.real_name, '系统') creator, f.created_by "createdBy",
    exists (select from examine e where e.target_kind = 'flow' and e.target_id = f.id and e.state = 'approving') frozen,
    f.version`,
  join: sql`join flow f on f.id = page.id join merchant_account a on a.id = f.merchant_account_id
    join village v on v.id = f.village_id left join party p on p.id = f.party_id
    left join room r on r.id = f.room_id left join operator o on o.id = f.created_by
    left join submission j on j.id = f.submission_id left join reconcile_item i on i.flow_id = f.id`,
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

/** Above this many parties or rooms the flows are walked in order instead of looked up. */
const FEW = 1000;

type Found = { parties: number[]; rooms: number[] };

/** Parties by name, whole phone or its last four digits; rooms by part of their name. */
function namedBy(keyword: string) {
  const tail = /^\d{4}$/.test(keyword) ? sql`or right(phone, 4) = ${keyword}` : sql``;
  return {
    parties: sql`select id from party where ${named("name")(keyword)} or phone = ${keyword} ${tail}`,
    rooms: sql`select id from room where ${named("full_name")(keyword)}`,
  };
}

/**
 * What a keyword means, as a condition over `flow f`: a flow number by its beginning; the payer, order or channel number;
 * a remark; parties and rooms, which may have been looked up before.
 */
export function keywordMeans(keyword: string | undefined, found?: Found): RawBuilder<SqlBool> | undefined {
  if (!keyword) return undefined;
  if (/^LS\d/i.test(keyword)) return sql`f.flow_no like ${beginning(keyword.toUpperCase())}`;
  const { parties, rooms } = namedBy(keyword);
  const theirs = found
    ? sql`f.party_id = ${anyOf(found.parties)} or f.room_id = ${anyOf(found.rooms)}`
    : sql`f.party_id in (${parties}) or f.room_id in (${rooms})`;
  // two characters of a remark have no index
  const remark = keyword.length > 2 ? sql`or (f.remark <> '' and ${phrase("f.remark")(keyword)})` : sql``;
  return sql`(${theirs} or ${named("f.payer_name")(keyword)} or f.channel_trade_no = ${keyword} or f.out_trade_no = ${keyword} ${remark})`;
}

/** The same with parties and rooms looked up before any flow is touched, where they are few. */
export async function hitsOf(
  read: Pick<Read, "tx">,
  keyword: string | undefined,
): Promise<RawBuilder<SqlBool> | undefined> {
  if (!keyword || /^LS\d/i.test(keyword)) return keywordMeans(keyword);
  const { parties, rooms } = namedBy(keyword);
  const asked = await sql<Found>`
    select array(${parties} limit ${FEW + 1}) parties, array(${rooms} limit ${FEW + 1}) rooms`.execute(
    read.tx,
  );
  const found = asked.rows[0]!;
  const few = found.parties.length <= FEW && found.rooms.length <= FEW;
  return keywordMeans(keyword, few ? found : undefined);
}

type Detail = z.input<typeof flowDetail>;

export async function flowDetailOf(read: Read, id: number): Promise<Detail> {
  const row = await flows.one(read, id);
  const allocations = await allocationsOf(read, id);
  return {
    ...row,
    ...(await headOf(read, id)),
    today: read.today,
    files: (await filesOf(read, "flow", [id])).get(id) ?? [],
    allocations,
    entries: await entriesShown(read, [
      { type: "flow", ids: [id] },
      { type: "allocation", ids: allocations.map((a) => a.id) },
    ]),
    log: await logOf(read, "flow", id),
  };
}

type Head = Pick<
  Detail,
  | "partyPhone"
  | "paidOn"
  | "outTradeNo"
  | "payerAccount"
  | "confirmedAt"
  | "confirmer"
  | "reversedAt"
  | "reverseReason"
  | "createdAt"
>;

async function headOf(read: Read, id: number): Promise<Head> {
  const { rows } = await sql<Head>`
    select p.phone "partyPhone", f.paid_on "paidOn", f.out_trade_no "outTradeNo", f.payer_account "payerAccount",
      f.confirmed_at "confirmedAt", o.real_name confirmer, f.reversed_at "reversedAt",
      f.reverse_reason "reverseReason", f.created_at "createdAt"
    from flow f left join operator o on o.id = f.confirmed_by
    left join party p on p.id = f.party_id where f.id = ${id}`.execute(read.tx);
  const head = rows[0]!;
  return { ...head, partyPhone: head.partyPhone && maskPhone(head.partyPhone) };
}

async function allocationsOf(read: Read, flowId: number): Promise<Detail["allocations"]> {
  const { rows } = await sql<Detail["allocations"][number]>`
    select a.id, a.date, a.bill_id "billId", b.bill_no "billNo", s.name subject, b.due_date "dueDate",
      l.period_start "periodStart", l.period_end "periodEnd", a.amount,
      a.undoes_id "undoesId", coalesce((select -sum(amount) from allocation where undoes_id = a.id), 0)::bigint undone,
      coalesce(o.real_name, '系统') operator
    from allocation a join bill b on b.id = a.bill_id join bill_line l on l.id = a.bill_line_id
    join fee_subject s on s.id = l.fee_subject_id left join operator o on o.id = a.created_by
    where a.flow_id = ${flowId} order by a.id`.execute(read.tx);
  return rows;
}
