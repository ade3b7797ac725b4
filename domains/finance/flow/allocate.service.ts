import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { standing, undoAllocations } from "../allocation/allocation.service.ts";
import { planOf } from "../allocation/plan.service.ts";
import { keyOf, type Want } from "../allocation/allocation.rules.ts";
import { aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { keepAround } from "../bill/void.service.ts";
import { carryOut } from "./carry.service.ts";
import { FLOW_MOVES } from "./flow.rules.ts";
import { lockFlow, readFlow, type Flow } from "./locked.queries.ts";
import { depositsOf } from "./ground.service.ts";
import { refuseVoid } from "./preview.service.ts";
import { billReopened } from "./flow.contract.ts";

/** Pays bills out of what is left of a flow, with the amounts a person gave; a yuan too much refuses all of it. */
export async function allocateFlow(
  act: Act,
  flowId: number,
  wants: readonly (Want & { amount: number })[],
): Promise<Flow> {
  const seen = await readFlow(act, flowId);
  const ids = wants.map((w) => w.billId);
  const around = await aroundOf(act, [seen.villageId]);
  const found = await readBills(act, ids);
  if (found.some((b) => b.villageId !== seen.villageId || b.partyId !== seen.partyId)) throw notFound();
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
 * that was written down stays.
 */
export async function takeBack(act: Act, flowId: number, allocationId?: number): Promise<Flow> {
  const of = allocationId === undefined ? { flowIds: [flowId] } : { ids: [allocationId] };
  const seen = (await standing(act, of)).filter((a) => a.flowId === flowId);
  if (allocationId !== undefined && !seen.length) throw notFound();
  const flow = await lockFlow(
    act,
    flowId,
    seen.map((a) => a.contractId).filter((id) => id !== null),
  );
  const bills = await lockBills(
    act,
    seen.map((a) => a.billId),
  );
  const { subjects } = await aroundOf(act, [flow.villageId]);
  const undoing = (await standing(act, of)).filter((a) => a.flowId === flowId);
  await undoAllocations(act, undoing, bills, subjects);
  await keepAround(act, bills);
  if (undoing.length) await act.emit(billReopened, { billIds: bills.map((b) => b.id) });
  return flow;
}
