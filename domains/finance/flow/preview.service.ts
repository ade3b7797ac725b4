import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { accountFor, accountPaid } from "../account/account.service.ts";
import { hashOfPlan, planOf, type Plan } from "../allocation/plan.service.ts";
import { keyOf } from "../allocation/allocation.rules.ts";
import { aroundOf } from "../bill/bills.queries.ts";
import { whyNotTake, type Bill } from "../bill/bill.rules.ts";
import { bookingDay } from "../journal/journal.service.ts";
import { channelFee, goneToPrepaid } from "./flow.rules.ts";
import { readGround, type Ground, type Receipt } from "./ground.service.ts";

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
  const used = plan.stages
    .filter((s) => s.flowId !== null)
    .flatMap((s) => s.paying)
    .reduce((sum, pay) => sum + pay.amount, 0);
  const toPrepaid = amount - (plan.paid - used);
  const inputs = [villageId, partyId, amount, paidOn, postedOn, receipt.usePrepaid, prepaid];
  return {
    ...plan,
    amount,
    fee,
    prepaidBefore: prepaid,
    prepaidUsed: used,
    toPrepaid,
    prepaidAfter: prepaid - used + toPrepaid,
    postedOn,
    voided: bills.filter((bill) => bill.voidedAt).map(({ id, billNo }) => ({ billId: id, billNo })),
    hash: hashOfPlan(plan, bills, inputs),
  };
}

/** What a payment of costs does: the same shape, with no balance of anybody in it. */
export async function previewPayment(
  read: Read,
  of: { villageId: number; partyId: number | null; amount: Fen; fee: Fen; paidOn: Day },
  bills: readonly Bill[],
): Promise<Preview> {
  const { villageId, partyId, amount, fee, paidOn } = of;
  const wants = bills.flatMap((bill) => bill.lines.map((line) => ({ billId: bill.id, lineId: line.id })));
  const around = await aroundOf(read, [villageId]);
  const plan = await planOf(read, bills, wants, [{ flowId: null, available: amount, paidOn }], around);
  const postedOn = await bookingDay(read, { event: "E26", businessDate: paidOn, villageIds: [villageId] });
  const hash = hashOfPlan(plan, bills, [villageId, partyId, amount, paidOn, postedOn]);
  const none = { prepaidBefore: 0, prepaidUsed: 0, toPrepaid: 0, prepaidAfter: 0, voided: [] };
  return { ...plan, ...none, amount, fee, postedOn, hash };
}
