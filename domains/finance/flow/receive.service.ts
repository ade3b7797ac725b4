import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { hashOfPlan, planOf, type Plan, type PlanSource } from "../allocation/plan.service.ts";
import { keyOf, type Want } from "../allocation/plan.rules.ts";
import { accountFor } from "../account/account.service.ts";
import { addPrepaid, lockDeposits, lockPrepaid, prepaidOf } from "../balance/balance.service.ts";
import { aroundOf, type Around } from "../bill/around.queries.ts";
import { isHeld, type Bill } from "../bill/bill.rules.ts";
import { lockBills, readBills } from "../bill/bills.queries.ts";
import { post } from "../journal/journal.service.ts";
import { carryOut } from "./carry.service.ts";
import { channelFee, receiptEntries, type CounterChannel } from "./flow.rules.ts";
import { insertFlow, paidOnOf } from "./insert.service.ts";

export type Receipt = {
  villageId: number;
  partyId: number;
  roomId?: number | null | undefined;
  /** Fen ≥ 0; nothing but prepaid money is used when it is 0. */
  amount: Fen;
  /** How the money comes; needed where some comes, and in a preview it may still be open. */
  channel?: CounterChannel | undefined;
  merchantAccountId?: number | undefined;
  paidAt: string;
  payerName?: string | undefined;
  channelTradeNo?: string | undefined;
  remark?: string | undefined;
  fileIds?: readonly number[] | undefined;
  /** What to pay: chosen lines, each as far as the money goes or with an amount of its own. */
  wants: readonly Want[];
  usePrepaid: boolean;
};

/** Before and after of a receipt, with the hash that confirms it. */
export type Preview = Plan & {
  amount: Fen;
  fee: Fen;
  prepaidBefore: Fen;
  prepaidUsed: Fen;
  /** What is left of the money goes to the party's 预存款. */
  toPrepaid: Fen;
  prepaidAfter: Fen;
  hash: string;
};

type Ground = { bills: Bill[]; around: Around; prepaid: Fen; flows: PlanSource[]; paidOn: Day };

const changed = (preview: Preview) =>
  new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: preview });

/** What a receipt would do, without doing it. An amount above what is owed or there is refused under its field. */
export async function previewReceipt(read: Read, receipt: Receipt): Promise<Preview> {
  const paidOn = paidOnOf(read, receipt.paidAt);
  const bills = belonging(await readBills(read, billIdsOf(receipt)), receipt);
  const ground = await groundOf(
    read,
    receipt,
    bills,
    paidOn,
    await prepaidOf(read, receipt.villageId, receipt.partyId),
  );
  const preview = await previewOn(read, receipt, ground);
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

/**
 * Takes money: E06, the channel's fee E07, and what it pays E08, all or nothing. Refused with the new preview when
 * anything changed since `hash` was shown. A channel that needs a second person leaves the flow waiting.
 */
export async function receive(
  act: Act,
  receipt: Receipt,
  hash: string,
): Promise<{ id: number | null; flowNo: string; state: "pending" | "confirmed"; preview: Preview }> {
  const using = receipt.amount ? { villageId: receipt.villageId, ...howOf(receipt) } : undefined;
  const account = using && (await accountFor(act, using));
  const ground = await lockGround(act, receipt);
  const preview = await previewOn(act, receipt, ground);
  if (preview.hash !== hash) throw changed(preview);
  if (!account || !using) {
    if (!preview.paid) throw invalid({ field: "amount", msg: "金额必须大于0" });
    await carryOut(act, receipt, preview, ground.bills, ground.around);
    return { id: null, flowNo: "", state: "confirmed", preview };
  }
  const waits = ground.around.settings(receipt.villageId).confirmChannels.includes(using.channel);
  const flow = {
    direction: "in" as const,
    kind: "receipt" as const,
    villageId: receipt.villageId,
    partyId: receipt.partyId,
    roomId: receipt.roomId ?? ground.bills.find((b) => b.roomId)?.roomId ?? null,
    channel: using.channel,
    merchantAccountId: using.merchantAccountId,
    amount: receipt.amount,
    fee: preview.fee,
    paidAt: receipt.paidAt,
    paidOn: ground.paidOn,
  };
  const { id, flowNo } = await insertFlow(act, {
    ...flow,
    payerName: receipt.payerName ?? "",
    channelTradeNo: receipt.channelTradeNo ?? null,
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

function howOf({ channel, merchantAccountId }: Receipt): {
  channel: CounterChannel;
  merchantAccountId: number;
} {
  if (!channel) throw invalid({ field: "channel", msg: "请选择渠道" });
  if (!merchantAccountId) throw invalid({ field: "merchantAccountId", msg: "请选择账户" });
  return { channel, merchantAccountId };
}

const billIdsOf = (receipt: Pick<Receipt, "wants">) => receipt.wants.map((w) => w.billId);

/** Only bills of this party in this village; another's does not exist here. */
function belonging(
  bills: Bill[],
  of: { villageId: number; partyId: number; wants: readonly Want[] },
): Bill[] {
  const mine = bills.filter(
    (b) => b.villageId === of.villageId && b.partyId === of.partyId && b.direction === "receivable",
  );
  if (mine.length < new Set(of.wants.map((w) => w.billId)).size) throw notFound();
  return mine;
}

/** Takes every lock of a receipt in the one order: balance, deposits, flows, bills, lines. */
export async function lockGround(act: Act, receipt: Receipt): Promise<Ground> {
  const paidOn = paidOnOf(act, receipt.paidAt);
  const seen = belonging(await readBills(act, billIdsOf(receipt)), receipt);
  const prepaid = await lockPrepaid(act, receipt.villageId, receipt.partyId);
  await lockDeposits(act, depositsOf(seen, await aroundOf(act, [receipt.villageId])));
  const flows = receipt.usePrepaid ? await restFlows(act, receipt, true) : [];
  const bills = await lockBills(
    act,
    seen.map((b) => b.id),
  );
  return { ...(await groundOf(act, { ...receipt, usePrepaid: false }, bills, paidOn, prepaid)), flows };
}

export const depositsOf = (bills: readonly Bill[], { subjects }: Around): number[] =>
  bills.flatMap((bill) =>
    bill.contractId && bill.lines.some((line) => isHeld(subjects.of(line.feeSubjectId).kind))
      ? [bill.contractId]
      : [],
  );

async function groundOf(
  read: Read,
  receipt: Receipt,
  bills: Bill[],
  paidOn: Day,
  prepaid: Fen,
): Promise<Ground> {
  const flows = receipt.usePrepaid ? await restFlows(read, receipt, false) : [];
  return { bills, around: await aroundOf(read, [receipt.villageId]), prepaid, flows, paidOn };
}

/** Flows of a party with money left, oldest first. */
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
  return rows;
}

export async function previewOn(read: Read, receipt: Receipt, ground: Ground): Promise<Preview> {
  const { bills, around, prepaid, flows, paidOn } = ground;
  const { channel, merchantAccountId, villageId } = receipt;
  const account =
    receipt.amount && channel && merchantAccountId
      ? await accountFor(read, { villageId, channel, merchantAccountId })
      : undefined;
  const sources = [
    ...flows,
    ...(receipt.amount ? [{ flowId: null, available: receipt.amount, paidOn }] : []),
  ];
  const plan = await planOf(read, bills, receipt.wants, sources, around);
  const used = plan.stages
    .filter((s) => s.flowId !== null)
    .flatMap((s) => s.paying)
    .reduce((sum, pay) => sum + pay.amount, 0);
  const toPrepaid = receipt.amount - (plan.paid - used);
  const inputs = [receipt.villageId, receipt.partyId, receipt.amount, paidOn, receipt.usePrepaid, prepaid];
  return {
    ...plan,
    amount: receipt.amount,
    fee: account ? channelFee(receipt.amount, account.feeRate, account.feeCap) : 0,
    prepaidBefore: prepaid,
    prepaidUsed: used,
    toPrepaid,
    prepaidAfter: prepaid - used + toPrepaid,
    hash: hashOfPlan(plan, bills, inputs),
  };
}
