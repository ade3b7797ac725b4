import { sql } from "kysely";
import { type Day, dayInZone, maxDay } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { accountFor, accountPaid } from "../account/account.service.ts";
import type { PayChannel } from "../account/channel.rules.ts";
import { NO_FLOW, type Want, drawn, keyOf } from "../allocation/allocation.rules.ts";
import { allocate } from "../allocation/allocation.service.ts";
import {
  type Plan,
  type PlanSource,
  type Stage,
  freezesOnPayment,
  hashOfPlan,
  planOf,
} from "../allocation/plan.service.ts";
import { addPrepaid, lockDeposits, lockPrepaid, prepaidOf, prepaidRow } from "../balance/balance.service.ts";
import { type Bill, type Line, isHeld, whyNotTake } from "../bill/bill.rules.ts";
import { type Around, aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import { keepAround, billNote } from "../bill/keep.service.ts";
import { bookingDay, post } from "../journal/journal.service.ts";
import { correctLateFees, freezeLateFees } from "../latefee/latefee.service.ts";
import { billPaid } from "./flow.contract.ts";
import { channelFee, goneToPrepaid, onLines, prepaidChange, receiptEntries } from "./flow.rules.ts";
import { insertFlow, paidOnOf } from "./flow.service.ts";

/**
 * Takes money: E06, the channel's fee E07, and what it pays E08, all or nothing. Refused with the new preview when
 * anything changed since `hash` was shown. A channel that needs a second person leaves the flow waiting.
 */
export async function receive(
  act: Act,
  receipt: Receipt,
  hash: string,
): Promise<{ id: number | null; flowNo: string; state: "pending" | "confirmed"; preview: Preview }> {
  const account = await purseOf(act, receipt);
  const { channel } = receipt;
  if (receipt.amount && !account) throw invalid({ field: "merchantAccountId", msg: "请选择账户" });
  const ground = await lockGround(act, receipt);
  refuseVoid(ground);
  const fee = channelFee(receipt.amount, account?.feeRate ?? "0", account?.feeCap ?? null);
  const preview = await previewOn(act, receipt, ground, fee);
  if (preview.hash !== hash) throw changed(preview);
  if (!account || !channel) {
    if (!preview.paid) throw invalid({ field: "amount", msg: "金额必须大于0" });
    await carryOut(act, receipt, preview, ground.bills, ground.around);
    return { id: null, flowNo: "", state: "confirmed", preview };
  }
  const waits =
    !receipt.outTradeNo &&
    (ground.around.settings(receipt.villageId).confirmChannels as readonly string[]).includes(channel);
  const flow = {
    direction: "in" as const,
    kind: "receipt" as const,
    villageId: receipt.villageId,
    partyId: receipt.partyId,
    roomId: receipt.roomId ?? ground.bills.find((b) => b.roomId)?.roomId ?? null,
    channel,
    merchantAccountId: account.id,
    amount: receipt.amount,
    fee,
    paidAt: receipt.paidAt,
    paidOn: ground.paidOn,
  };
  const { id, flowNo } = await insertFlow(act, {
    ...flow,
    payerName: receipt.payerName ?? "",
    channelTradeNo: receipt.channelTradeNo ?? null,
    ...(receipt.outTradeNo && { outTradeNo: receipt.outTradeNo }),
    remark: receipt.remark ?? "",
    fileIds: receipt.fileIds ?? [],
    state: waits ? "pending" : "confirmed",
    ...(waits && { wanted: { wants: receipt.wants, usePrepaid: receipt.usePrepaid, hash } }),
  });
  if (!waits) {
    await post(act, receiptEntries({ ...flow, id }, account));
    await addPrepaid(act, receipt.villageId, receipt.partyId, receipt.amount);
    await carryOut(act, receipt, preview, ground.bills, ground.around, id);
  }
  return { id, flowNo, state: waits ? "pending" : "confirmed", preview };
}

export type Receipt = {
  villageId: number;
  partyId: number;
  roomId?: number | null | undefined;
  /** Fen ≥ 0; nothing but prepaid money is used when it is 0. */
  amount: Fen;
  channel?: PayChannel | undefined;
  /** Left out for a trial, and where no money comes. */
  merchantAccountId?: number | undefined;
  paidAt: string;
  /** Its business day where a statement has proved it; left out it is judged as one that is typed. */
  paidOn?: Day | undefined;
  payerName?: string | undefined;
  channelTradeNo?: string | undefined;
  /** Our number at the channel, where the channel itself told of the payment: nobody needs to confirm it. */
  outTradeNo?: string | undefined;
  remark?: string | undefined;
  fileIds?: readonly number[] | undefined;
  /** What to pay: chosen lines, each as far as the money goes or with an amount of its own. */
  wants: readonly Want[];
  usePrepaid: boolean;
};

/** Everything that a receipt stands on, read or locked. */
export type Ground = { bills: Bill[]; around: Around; prepaid: Fen; flows: PlanSource[]; paidOn: Day };

const billIdsOf = (receipt: Pick<Receipt, "wants">) => receipt.wants.map((w) => w.billId);

/** Only what this party owes in this village; what is another's, or owed to it, does not exist here. */
export function belonging(
  bills: Bill[],
  of: { villageId: number; partyId: number; wants: readonly Want[] },
): Bill[] {
  const mine = bills.filter(
    (b) => b.villageId === of.villageId && b.partyId === of.partyId && b.direction === "receivable",
  );
  if (mine.length < new Set(of.wants.map((w) => w.billId)).size) throw notFound();
  return mine;
}

/** The ground of a trial: nothing is locked. */
export async function readGround(read: Read, receipt: Receipt): Promise<Ground> {
  const paidOn = receipt.paidOn ?? paidOnOf(read, receipt.paidAt);
  const bills = belonging(await readBills(read, billIdsOf(receipt)), receipt);
  const prepaid = await prepaidOf(read, receipt.villageId, receipt.partyId);
  const flows = receipt.usePrepaid ? await restFlows(read, receipt, false) : [];
  return { bills, around: await aroundOf(read, [receipt.villageId]), prepaid, flows, paidOn };
}

/** Takes every lock of a receipt in the one order: balance, deposits, flows, bills, lines. */
export async function lockGround(act: Act, receipt: Receipt): Promise<Ground> {
  const paidOn = receipt.paidOn ?? paidOnOf(act, receipt.paidAt);
  const around = await aroundOf(act, [receipt.villageId]);
  const seen = belonging(await readBills(act, billIdsOf(receipt)), receipt);
  await lockPrepaid(act, receipt.villageId, receipt.partyId);
  const prepaid = await prepaidOf(act, receipt.villageId, receipt.partyId);
  await lockDeposits(act, depositsOf(seen, around));
  const flows = receipt.usePrepaid ? await restFlows(act, receipt, true) : [];
  const bills = await lockBills(
    act,
    seen.map((b) => b.id),
  );
  return { bills, around, prepaid, flows, paidOn };
}

export const depositsOf = (bills: readonly Bill[], { subjects }: Around): number[] =>
  bills.flatMap((bill) =>
    bill.contractId && bill.lines.some((line) => isHeld(subjects.of(line.feeSubjectId).kind))
      ? [bill.contractId]
      : [],
  );

/** Where a party's money can come from, oldest first: what it had paid before the take-over, then flows with money left. */
export async function restFlows(
  read: Pick<Read, "tx">,
  of: { villageId: number; partyId: number },
  lock: boolean,
): Promise<PlanSource[]> {
  const { rows } = await sql<PlanSource>`
    select id "flowId", unallocated available, paid_on "paidOn" from flow
    where village_id = ${of.villageId} and party_id = ${of.partyId} and state = 'confirmed' and unallocated > 0
      and direction = 'in'
    order by paid_at, id ${lock ? sql`for update` : sql``}`.execute(read.tx);
  return [...(await openingRest(read, of)), ...rows];
}

/** The balance is locked before, as in every act on a party's money. */
async function openingRest(
  read: Pick<Read, "tx">,
  of: Pick<Receipt, "villageId" | "partyId">,
): Promise<PlanSource[]> {
  const row = await prepaidRow(read, of);
  return row && row.opening > 0 ? [{ flowId: NO_FLOW, available: row.opening, paidOn: row.openingOn! }] : [];
}

/** Before and after of a receipt, with the hash that confirms it. */
export type Preview = Plan & {
  amount: Fen;
  fee: Fen;
  prepaidBefore: Fen;
  prepaidUsed: Fen;
  /** What is left of the money goes to the party's 预存款. */
  toPrepaid: Fen;
  prepaidAfter: Fen;
  /** The day it is booked on: the money's own, or the first open one when its month is locked. */
  postedOn: Day;
  /** Wanted bills that were voided since: nothing of them is paid. */
  voided: { billId: number; billNo: string }[];
  hash: string;
};

export const changed = (preview: Preview) =>
  new Refusal(
    "previewChanged",
    preview.voided.length
      ? `${goneToPrepaid(preview)}，请核对后重新确认`
      : "账单试算已变化，请核对后重新确认",
    409,
    { data: preview },
  );

/** Money is chosen for bills by a person: it is never taken for one that is void. */
export function refuseVoid({ bills }: Pick<Ground, "bills">): void {
  const why = whyNotTake(bills);
  if (why) throw new Refusal("billVoid", why);
}

/** What a receipt would do, without doing it. An amount above what is owed or there is refused under its field. */
export async function previewReceipt(read: Read, receipt: Receipt): Promise<Preview> {
  const ground = await readGround(read, receipt);
  refuseVoid(ground);
  const account = await purseOf(read, receipt);
  const fee = channelFee(receipt.amount, account?.feeRate ?? "0", account?.feeCap ?? null);
  const preview = await previewOn(read, receipt, ground, fee);
  for (const want of receipt.wants) {
    const row = preview.rows.find((r) => keyOf(r) === keyOf(want));
    if (want.amount && want.amount > (row?.owed ?? 0))
      throw invalid({ field: "wants", msg: "超过该费用的未收金额" });
  }
  const wanted = receipt.wants.reduce((sum, w) => sum + (w.amount ?? 0), 0);
  if (wanted > receipt.amount + (receipt.usePrepaid ? ground.prepaid : 0))
    throw invalid({ field: "wants", msg: "分配金额超过未分配余额" });
  return preview;
}

/** The account that the money goes to; undefined where none comes or none is chosen yet. */
export const purseOf = async (
  read: Read,
  { amount, channel, merchantAccountId, villageId, outTradeNo }: Receipt,
) =>
  amount && channel && merchantAccountId
    ? outTradeNo
      ? accountPaid(read, merchantAccountId)
      : accountFor(read, { villageId, channel, merchantAccountId })
    : undefined;

export async function previewOn(read: Read, receipt: Receipt, ground: Ground, fee: Fen): Promise<Preview> {
  const { bills, around, prepaid, flows, paidOn } = ground;
  const { villageId, partyId, amount } = receipt;
  const sources = [...flows, ...(amount ? [{ flowId: null, available: amount, paidOn }] : [])];
  const plan = await planOf(read, bills, receipt.wants, sources, around);
  const postedOn = await bookingDay(read, { event: "E06", businessDate: paidOn, villageIds: [villageId] });
  const inputs = [villageId, partyId, amount, paidOn, postedOn, receipt.usePrepaid, prepaid];
  return {
    ...plan,
    ...prepaidChange(plan, amount, prepaid),
    amount,
    fee,
    postedOn,
    voided: bills.filter((bill) => bill.voidedAt).map(({ id, billNo }) => ({ billId: id, billNo })),
    hash: hashOfPlan(plan, bills, inputs),
  };
}

/** What a payment of costs, or money that pays no bill, does: the same shape, with no balance of anybody in it. */
export async function previewPayment(
  read: Read,
  of: { villageId: number; partyId: number | null; amount: Fen; fee: Fen; paidOn: Day },
  bills: readonly Bill[],
  event: "E26" | "E28" = "E26",
): Promise<Preview> {
  const { villageId, partyId, amount, fee, paidOn } = of;
  const wants = bills.flatMap((bill) => bill.lines.map((line) => ({ billId: bill.id, lineId: line.id })));
  const around = await aroundOf(read, [villageId]);
  const plan = await planOf(read, bills, wants, [{ flowId: null, available: amount, paidOn }], around);
  const postedOn = await bookingDay(read, { event, businessDate: paidOn, villageIds: [villageId] });
  const hash = hashOfPlan(plan, bills, [villageId, partyId, amount, paidOn, postedOn]);
  const none = { prepaidBefore: 0, prepaidUsed: 0, toPrepaid: 0, prepaidAfter: 0, voided: [] };
  return { ...plan, ...none, amount, fee, postedOn, hash };
}

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

const sumOf = (plan: Plan, billId: number): Fen =>
  plan.stages
    .flatMap((s) => s.paying)
    .filter((pay) => pay.billId === billId)
    .reduce((sum, pay) => sum + pay.amount, 0);

const noteBills = (act: Act, bills: readonly Bill[], plan: Plan) =>
  act.note(bills.map((bill) => billNote(bill, "收款", `收款分配 ${yuan(sumOf(plan, bill.id))}`)));
