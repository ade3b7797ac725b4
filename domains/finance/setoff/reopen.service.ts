import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { NO_FLOW } from "../allocation/allocation.rules.ts";
import { standing, undoAllocations } from "../allocation/allocation.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { type Bill, type Line, isPayable } from "../bill/bill.rules.ts";
import { type NewBill, makeBills, voidBills } from "../bill/bill.service.ts";
import { type Around, readBills } from "../bill/bills.queries.ts";
import { keepAround } from "../bill/keep.service.ts";
import { restFlows } from "../flow/receive.service.ts";
import { type SetOff, undoDeposit } from "./deposit.service.ts";
import { payHeldOn, payOn } from "./release.service.ts";
import { type Closing, type Trace, lockStanding } from "./setoff.service.ts";

type Set = SetOff & { kind: "money" | "deposit" };

/**
 * Brings back what `closeAccount` did, by mirrors and by new bills for those that were voided. Refused when something was
 * paid since, or when money that went back is used elsewhere.
 */
export async function reopenAccount(act: Act, of: Closing, trace: Trace, reason: string): Promise<void> {
  const { bills, around } = await lockStanding(act, of);
  const { subjects } = around;
  const mine = new Set(trace.setOff);
  const made = trace.madeBy ? await madeBy(act, of, trace.madeBy) : trace.billId ? [trace.billId] : [];
  const billOf = new Map(bills.map((b) => [b.id, b]));
  const paid = made.length
    ? (await standing(act, { billIds: made })).find((a) => !mine.has(a.id))
    : undefined;
  if (paid)
    throw new Refusal(
      "notAllowed",
      `账单 ${billOf.get(paid.billId)!.billNo} 已收款，不能撤销，请先撤销其收款分配`,
    );
  const all = await act.tx
    .selectFrom("allocationStanding")
    .select(["id", "billId", "billLineId", "amount", "kind"])
    .where("id", "in", [...mine, 0])
    .orderBy("id")
    .execute();
  const setOff = all as Set[];
  await undoAllocations(
    act,
    await standing(act, { ids: setOff.filter((a) => a.kind === "money").map((a) => a.id) }),
    bills,
    subjects,
  );
  await undoDeposit(
    act,
    of,
    setOff.filter((a) => a.kind === "deposit"),
  );
  await voidBills(act, made, reason);
  const written = bills.flatMap((b) => b.lines).filter((l) => trace.late.includes(l.id));
  await adjustLines(act, [
    // what fell stands on the line that bore it
    ...written.map((l) => ({
      lineId: l.amount < 0 ? l.adjustsLineId! : l.id,
      amount: -(l.amount + l.adjusted),
      kind: "trim" as const,
      reason,
    })),
    ...trace.trimmed.map((t) => ({ lineId: t.lineId, amount: -t.amount, kind: "trim" as const, reason })),
  ]);
  await madeAnew(act, trace.voided);
  await payAgain(act, of, trace, around);
  await setOffAgain(act, of, trace);
  await keepAround(act, bills);
}

/** The bills of the contract that an act made, of its schedule and what was charged with it, as they stand now. */
async function madeBy(act: Act, { contractId }: Closing, actId: number): Promise<number[]> {
  const rows = await act.tx
    .selectFrom("bill")
    .select("id")
    .where("contractId", "=", contractId)
    .where("source", "in", ["schedule", "settlement"])
    .where("sourceId", "=", actId)
    .where("voidedAt", "is", null)
    .execute();
  return rows.map((r) => r.id);
}

/**
 * The lines of a bill as they are written once more: what was charged more or less by hand stays a correction, late fee that was
 * waived stays written, and what of it fell or was taken back is left out.
 */
function netLines({ lines }: Bill): (Line & { kind: "normal" | "lateFee" | "adjust" })[] {
  const fees = new Set(lines.flatMap((l) => (l.kind === "lateFee" && l.amount > 0 ? [l.id] : [])));
  const back = ({ kind, amount, adjustsLineId }: Line) =>
    (kind === "lateFee" && amount < 0) || (kind === "trim" && fees.has(adjustsLineId ?? 0));
  const backs = Map.groupBy(lines.filter(back), (l) => l.adjustsLineId);
  return lines.flatMap((line): ReturnType<typeof netLines> => {
    if (back(line)) return [];
    if (!fees.has(line.id))
      return [{ ...line, kind: isPayable(line) || !line.amount ? ("normal" as const) : ("adjust" as const) }];
    const amount = (backs.get(line.id) ?? []).reduce((sum, l) => sum + l.amount, line.amount);
    return amount ? [{ ...line, amount, kind: "lateFee" as const }] : [];
  });
}

/** What was voided, as new bills, disputed as it was: a void bill stays void. */
async function madeAnew(act: Act, ids: readonly number[]): Promise<void> {
  const voided = await readBills(act, ids);
  if (!voided.length) return;
  const made = await makeBills(act, await anew(act, voided));
  const pairs = JSON.stringify(voided.map(({ id }, i) => ({ was: id, now: made[i]!.id })));
  await sql`
    with pair as (select * from json_to_recordset(${pairs}::json) r(was bigint, now bigint)),
    kept as (
      insert into bill_dispute (bill_id, from_day, to_day, reason, created_at, created_by)
      select p.now, d.from_day, d.to_day, d.reason, d.created_at, d.created_by from pair p join bill_dispute d on d.bill_id = p.was)
    update bill b set disputed_from = o.disputed_from, disputed_to = o.disputed_to
    from pair p join bill o on o.id = p.was where b.id = p.now and o.disputed_from is not null`.execute(
    act.tx,
  );
}

async function anew(act: Act, voided: readonly Bill[]): Promise<NewBill[]> {
  const ids = voided.map((bill) => bill.id);
  const told = await act.tx
    .selectFrom("billLine")
    .select(["id", "explain", "reason"])
    .where("billId", "in", ids)
    .execute();
  const toldOf = new Map(told.map((l) => [l.id, l]));
  const origins = await act.tx.selectFrom("bill").select(["id", "sourceId"]).where("id", "in", ids).execute();
  const originOf = new Map(origins.map((o) => [o.id, o.sourceId]));
  return voided.map((bill) => ({
    villageId: bill.villageId,
    roomId: bill.roomId,
    contractId: bill.contractId,
    partyId: bill.partyId,
    title: bill.title,
    dueDate: bill.dueDate,
    periodStart: bill.periodStart,
    periodEnd: bill.periodEnd,
    source: bill.source,
    sourceId: originOf.get(bill.id) ?? null,
    graceDays: bill.graceDays,
    lateFeeRate: bill.lateFeeRate,
    lateFeeCap: bill.lateFeeCap,
    issuedAhead: bill.issuedAt !== null,
    lines: netLines(bill).map((line) => ({
      subject: line.feeSubjectId,
      roomId: line.roomId,
      amount: line.amount,
      kind: line.kind,
      periodStart: line.periodStart,
      periodEnd: line.periodEnd,
      slices: line.slices,
      explain: toldOf.get(line.id)!.explain as object,
      reason: toldOf.get(line.id)!.reason,
    })),
  }));
}

/** What the deposit had paid it pays again. */
async function setOffAgain(act: Act, of: Closing, { heldAgain = [] }: Trace): Promise<void> {
  if (!heldAgain.length) return;
  const billOf = await billsOfLines(act, heldAgain);
  await payHeldOn(
    act,
    of,
    heldAgain.map((p) => ({ ...p, billId: billOf.get(p.lineId)! })),
  );
}

async function billsOfLines(
  act: Act,
  of: readonly { lineId: number }[],
): Promise<ReadonlyMap<number, number>> {
  const lines = await act.tx
    .selectFrom("billLine")
    .select(["id", "billId"])
    .where(
      "id",
      "in",
      of.map((f) => f.lineId),
    )
    .execute();
  return new Map(lines.map((l) => [l.id, l.billId]));
}

/** Payments that went back are made again, each out of its own flow and on its own day. */
async function payAgain(act: Act, of: Closing, { freed }: Trace, around: Around): Promise<void> {
  if (!freed.length) return;
  const rest = new Map(
    (await restFlows(act, of, true)).map((f) => [f.flowId === NO_FLOW ? null : f.flowId, f.available]),
  );
  for (const { flowId, amount } of freed) {
    const left = (rest.get(flowId) ?? 0) - amount;
    if (left < 0) throw new Refusal("notAllowed", "退回的预存款已被使用，不能撤销结算");
    rest.set(flowId, left);
  }
  const billOf = await billsOfLines(act, freed);
  await payOn(
    act,
    of,
    freed.map((f) => ({
      billId: billOf.get(f.lineId)!,
      lineId: f.lineId,
      flowId: f.flowId ?? NO_FLOW,
      amount: f.amount,
      date: f.date,
    })),
    around,
  );
}
