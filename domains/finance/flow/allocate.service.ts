import { sql } from "kysely";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Channel } from "../account/channel.rules.ts";
import { type Undoing, standing, undoAllocations } from "../allocation/allocation.service.ts";
import { type Want, keyOf } from "../allocation/allocation.rules.ts";
import { openLinesOf, planOf } from "../allocation/plan.service.ts";
import { addPrepaid, lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import { billReopened } from "../bill/events.contract.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { billNote, keepAround } from "../bill/keep.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { belonging, carryOut, depositsOf, refuseVoid, restFlows } from "./receive.service.ts";
import { flowReversed } from "./flow.contract.ts";
import { type FlowKind, FLOW_MOVES } from "./flow.rules.ts";
import { type Flow, lockFlow, readFlow } from "./flow.service.ts";

/** Pays bills out of what is left of a flow, with the amounts a person gave; a yuan too much refuses all of it. */
export async function allocateFlow(
  act: Act,
  flowId: number,
  wants: readonly (Want & { amount: number })[],
): Promise<Flow> {
  const seen = await readFlow(act, flowId);
  FLOW_MOVES.next("allocate", seen);
  const ids = wants.map((w) => w.billId);
  const around = await aroundOf(act, [seen.villageId]);
  const of = { villageId: seen.villageId, partyId: seen.partyId!, wants };
  const found = belonging(await readBills(act, ids), of);
  const flow = await lockFlow(act, flowId, depositsOf(found, around));
  FLOW_MOVES.next("allocate", flow);
  const bills = await lockBills(act, ids);
  refuseVoid({ bills });
  const total = wants.reduce((sum, w) => sum + w.amount, 0);
  if (total > flow.unallocated) throw new Refusal("moreThanLeft", "分配金额超过未分配余额");
  const source = { flowId, available: flow.unallocated, paidOn: flow.paidOn };
  const plan = await planOf(act, bills, wants, [source], around);
  for (const want of wants)
    if ((plan.rows.find((r) => keyOf(r) === keyOf(want))?.pay ?? 0) < want.amount)
      throw new Refusal("moreThanOwed", "超过该费用的未收金额");
  await carryOut(act, { villageId: flow.villageId, partyId: flow.partyId! }, plan, bills, around);
  return flow;
}

/**
 * Takes payments of a flow back (E09): one by id, or all of them. The money stays with the party as 预存款; a late fee
 * that was written down stays. What left an account is nobody's prepaid money: it is taken back only with its flow.
 */
export async function takeBack(
  act: Act,
  flowId: number,
  allocationId?: number,
): Promise<{ flow: Flow; amount: Fen }> {
  const of = allocationId === undefined ? { flowIds: [flowId] } : { ids: [allocationId] };
  const seen = (await standing(act, of)).filter((a) => a.flowId === flowId);
  if (allocationId !== undefined && !seen.length) throw notFound();
  const flow = await lockFlow(
    act,
    flowId,
    seen.map((a) => a.contractId).filter((id) => id !== null),
  );
  if (allocationId !== undefined) FLOW_MOVES.next("takeBack", flow);
  const bills = await lockBills(
    act,
    seen.map((a) => a.billId),
  );
  const { subjects } = await aroundOf(act, [flow.villageId]);
  const undoing = (await standing(act, of)).filter((a) => a.flowId === flowId);
  await refuseRefunded(
    act,
    flowId,
    undoing.filter((a) => subjects.of(a.feeSubjectId).kind === "deposit"),
  );
  await undoAllocations(act, undoing, bills, subjects);
  await keepAround(act, bills);
  await act.note(bills.map((bill) => takenNote(bill, flow, undoing)));
  if (undoing.length) await act.emit(billReopened, { billIds: bills.map((b) => b.id) });
  return { flow, amount: sumOf(undoing) };
}

/** A deposit that was refunded out of a flow stays paid by it, also where others hold enough for the contract. */
async function refuseRefunded(act: Act, flowId: number, undoing: readonly Undoing[]): Promise<void> {
  if (!undoing.length) return;
  const { rows } = await sql<{ refundNo: string }>`
    select max(r.refund_no) "refundNo" from refund_part p join refund r on r.id = p.refund_id
    where p.flow_id = ${flowId} and p.source = 'deposit' and r.contract_id = any(${undoing.map((a) => a.contractId)}::bigint[])
      and r.state not in ('applied', 'approving', 'rejected', 'cancelled')
    group by r.contract_id
    having sum(p.amount) > coalesce((select sum(a.amount) from allocation_standing a join bill b on b.id = a.bill_id
      join bill_line l on l.id = a.bill_line_id join fee_subject s on s.id = l.fee_subject_id
      where a.flow_id = ${flowId} and a.kind = 'money' and s.kind = 'deposit' and b.contract_id = r.contract_id
        and a.id <> all(${undoing.map((a) => a.id)}::bigint[])), 0)`.execute(act.tx);
  if (rows[0])
    throw new Refusal("depositUsed", `该流水的押金已在退款单 ${rows[0].refundNo} 中退还，不能撤销或冲销`);
}

const sumOf = (rows: readonly { amount: Fen }[]): Fen => rows.reduce((sum, { amount }) => sum + amount, 0);

function takenNote(bill: Bill, { flowNo }: Flow, undoing: readonly Undoing[]) {
  const fen = yuan(sumOf(undoing.filter((row) => row.billId === bill.id)));
  return bill.direction === "payable"
    ? billNote(bill, "撤销付款", `${flowNo} 的付款 ${fen} 退回未付`)
    : billNote(bill, "撤销分配", `${flowNo} 的收款 ${fen} 退回未收`);
}

/** Whose money a flow brought out of another record: it hears, in the same transaction, that the flow is reversed. */
export type FlowOwner = {
  /** Its own lock, which comes before those of the flow. */
  lock: (act: Act, flowId: number) => Promise<void>;
  reversed: (act: Act, flowId: number, reason: string) => Promise<void>;
  /** Of money that pays no bill: refuses what can not be confirmed any more, and does what confirming does. */
  waiting?: {
    check: (read: Read, flow: Flow) => Promise<void>;
    confirm: (act: Act, flowId: number) => Promise<Flow>;
  };
};
const owners = new Map<Channel | FlowKind, FlowOwner>();

/** Registers who makes the flows of a channel or a kind; called once, by the noun that does. */
export const ownsFlows = (of: Channel | FlowKind, by: FlowOwner): void => void owners.set(of, by);
export const ownerOf = ({ flowKind, channel }: Flow): FlowOwner | undefined =>
  owners.get(flowKind) ?? owners.get(channel);

/**
 * A flow that was none: what it paid is taken back (E09), then the money itself (E10; a cost that was paid and what a third
 * party paid under their own event), both dated today. The channel's fee stays a cost until the statement says otherwise.
 * Flows that are bound to where they were made (`BOUND`) are reversed only from there.
 */
export async function reverseFlow(act: Act, flowId: number, reason: string): Promise<Flow> {
  const owner = ownerOf(await readFlow(act, flowId));
  await owner?.lock(act, flowId);
  await takeBack(act, flowId);
  const flow = await lockFlow(act, flowId);
  FLOW_MOVES.next("reverse", flow);
  const events = ["E06", "E17", "E26", "E28"] as const;
  const [moved] = await entriesOf(act, { sourceType: "flow", sourceIds: [flowId], events });
  if (!moved) throw new Error(`flow ${flowId} is confirmed without an entry`);
  const own = moved.event === "E26" || moved.event === "E28";
  const as = own ? { event: moved.event, seq: 1 } : { event: "E10" as const };
  const of = { sourceType: "flow", sourceId: flowId, businessDate: act.today, memo: reason };
  await post(act, [mirrorOf(moved, { ...as, ...of })]);
  if (flow.flowKind === "receipt") await addPrepaid(act, flow.villageId, flow.partyId!, -flow.amount);
  await markReversed(act, flowId, reason);
  await owner?.reversed(act, flowId, reason);
  return flow;
}

/** Writes that a locked flow was none; its entries are the caller's. */
export async function markReversed(act: Act, flowId: number, reason: string): Promise<void> {
  const now = act.now.toISOString();
  await act.tx
    .updateTable("flow")
    .set({
      state: "reversed",
      allocated: 0,
      reversedAt: now,
      reversedOn: act.today,
      reversedBy: act.who.operatorId || null,
      reverseReason: reason,
      updatedAt: now,
      version: NEXT_VERSION,
    })
    .where("id", "=", flowId)
    .execute();
  await act.emit(flowReversed, { id: flowId });
}

export type Holder = { villageId: number; partyId: number };

/** Parties that have prepaid money and owe something that is issued, after a given one; in (village, party) order. */
export async function prepaidHolders(
  act: Pick<Act, "tx">,
  after: Holder = { villageId: 0, partyId: 0 },
  limit = 200,
): Promise<Holder[]> {
  const { rows } = await sql<Holder>`
    select p.village_id "villageId", p.party_id "partyId" from party_balance p
    where p.kind = 'prepaid' and p.balance > 0 and (p.village_id, p.party_id) > (${after.villageId}, ${after.partyId})
      and exists (select from receivable_open b where b.party_id = p.party_id and b.village_id = p.village_id)
    order by 1, 2 limit ${limit}`.execute(act.tx);
  return rows;
}

/**
 * Pays what a party owes (issued bills only, oldest due first) out of its prepaid money, oldest money first. Answers
 * the fen that were used; nothing where the village's setting says no.
 */
export async function usePrepaid(act: Act, holder: Holder): Promise<number> {
  const around = await aroundOf(act, [holder.villageId]);
  if (!around.settings(holder.villageId).autoUsePrepaid) return 0;
  const { rows } = await sql<{ id: number }>`
    select id from receivable_open
    where party_id = ${holder.partyId} and village_id = ${holder.villageId}`.execute(act.tx);
  const ids = rows.map((r) => r.id);
  await lockPrepaid(act, holder.villageId, holder.partyId);
  await lockDeposits(act, depositsOf(await readBills(act, ids), around));
  const sources = await restFlows(act, holder, true);
  const bills = (await lockBills(act, ids)).filter((bill) => bill.issuedAt && !bill.voidedAt);
  // a disputed bill waits until people have settled the dispute
  const undisputed = bills.filter((b) => !b.disputedFrom || b.disputedTo);
  const wants = await openLinesOf(act, undisputed, act.today, around);
  const plan = await planOf(
    act,
    undisputed,
    wants.map(({ billId, lineId }) => ({ billId, lineId })),
    sources,
    around,
  );
  await carryOut(act, holder, plan, undisputed, around);
  return plan.paid;
}
