import { dayInZone, maxDay } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { drawn, type Paying } from "../allocation/allocation.rules.ts";
import { allocate } from "../allocation/allocation.service.ts";
import { freezesOnPayment, type Plan, type Stage } from "../allocation/plan.service.ts";
import type { Around } from "../bill/bills.queries.ts";
import type { Bill, Line } from "../bill/bill.rules.ts";
import { issueBills } from "../bill/issue.service.ts";
import { keepAround } from "../bill/keep.service.ts";
import { correctLateFees, freezeLateFees } from "../latefee/latefee.service.ts";
import { billPaid } from "./flow.contract.ts";

type Whose = { villageId: number; partyId: number };

/**
 * Does what a plan says, source by source: puts planned bills on the ledger (E01, E02), writes late fees down (E03),
 * pays (E08). Balances, flows and bills are locked, and the plan was made of these very bills. `newFlowId` stands in
 * for the source that had no flow yet.
 */
export async function carryOut(
  act: Act,
  whose: Whose,
  plan: Plan,
  bills: readonly Bill[],
  around: Around,
  newFlowId: number | null = null,
): Promise<void> {
  const fees = new Map<number, Line[]>();
  for (const stage of plan.stages)
    if (stage.paying.length)
      await payStage(act, whose, stage, stage.flowId ?? newFlowId!, bills, around, fees);
  const touched = bills.filter((bill) =>
    plan.stages.some((s) => s.paying.some((pay) => pay.billId === bill.id)),
  );
  if (!touched.length) return;
  await keepAround(act, touched);
  await noteBills(act, touched, plan);
  await act.emit(billPaid, {
    billIds: touched.map((b) => b.id),
    contractIds: [...new Set(touched.map((b) => b.contractId).filter((id) => id !== null))],
  });
}

async function payStage(
  act: Act,
  whose: Whose,
  stage: Stage,
  flowId: number,
  bills: readonly Bill[],
  around: Around,
  fees: Map<number, Line[]>,
): Promise<void> {
  const paid = new Set(stage.paying.map((pay) => pay.billId));
  const wantsFee = new Set(stage.paying.filter((p) => p.lineId === null).map((p) => p.billId));
  const touched = bills.filter((bill) => paid.has(bill.id));
  // money that came before a bill was made pays it on the day it was made: nothing is older than its contract
  const madeOn = (bill: Bill) => dayInZone(new Date(bill.createdAt), act.settings.TIME_ZONE);
  await issueBills(act, touched, around.subjects, (bill) => maxDay(stage.paidOn, madeOn(bill)));
  const freezing = touched.filter((b) => wantsFee.has(b.id) || freezesOnPayment(b.villageId, around));
  for (const [billId, line] of await freezeLateFees(act, freezing, stage.paidOn, around))
    fees.set(billId, [...(fees.get(billId) ?? []), line]);
  await correctLateFees(act, touched, stage.paidOn, around);
  const lines = new Map(touched.flatMap((bill) => bill.lines.map((line) => [line.id, line])));
  const left = new Map([...lines.values()].map((line) => [line.id, Math.max(0, line.outstanding)]));
  const paying = stage.paying.flatMap((pay) => {
    const planned = pay.lineId === null ? undefined : lines.get(pay.lineId);
    if (planned && planned.kind !== "lateFee") return [{ ...pay, lineId: planned.id }];
    return onLines(pay, [...new Set([...(planned ? [planned] : []), ...(fees.get(pay.billId) ?? [])])], left);
  });
  const shares = drawn(paying, [{ flowId, available: stage.available }]);
  await allocate(
    act,
    whose,
    shares,
    touched,
    around.subjects,
    stage.flowId === null ? stage.paidOn : act.today,
  );
  for (const pay of paying) {
    const line = lines.get(pay.lineId)!;
    line.settled += pay.amount;
    line.outstanding -= pay.amount;
  }
  await correctLateFees(act, touched, stage.paidOn, around);
}

/**
 * A payment of a late fee goes to the line it was planned for as far as that is open, then to those written just now: a
 * fee can fall and grow again between two sources of different days.
 */
function onLines(
  pay: Paying,
  lines: readonly Line[],
  left: Map<number, Fen>,
): (Paying & { lineId: number })[] {
  let rest = pay.amount;
  const parts = lines.map(({ id }) => {
    const amount = Math.min(rest, left.get(id) ?? 0);
    left.set(id, (left.get(id) ?? 0) - amount);
    rest -= amount;
    return { ...pay, lineId: id, amount };
  });
  if (rest) throw new Error(`late fee of bill ${pay.billId}: ${rest} fen more planned than written`);
  return parts.filter((part) => part.amount > 0);
}

const sumOf = (plan: Plan, billId: number): Fen =>
  plan.stages
    .flatMap((s) => s.paying)
    .filter((pay) => pay.billId === billId)
    .reduce((sum, pay) => sum + pay.amount, 0);

const noteBills = (act: Act, bills: readonly Bill[], plan: Plan) =>
  act.note(
    bills.map((bill) => ({
      kind: "bill",
      recordId: bill.id,
      number: bill.billNo,
      villageId: bill.villageId,
      action: "收款",
      summary: `收款分配 ${yuan(sumOf(plan, bill.id))}`,
    })),
  );
