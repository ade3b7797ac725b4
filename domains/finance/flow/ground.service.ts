import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { PlanSource } from "../allocation/plan.service.ts";
import { NO_FLOW, type Want } from "../allocation/allocation.rules.ts";
import { lockDeposits, lockPrepaid, prepaidOf } from "../balance/balance.service.ts";
import { type Around, aroundOf, lockBills, readBills } from "../bill/bills.queries.ts";
import { isHeld, type Bill } from "../bill/bill.rules.ts";
import type { PayChannel } from "./flow.rules.ts";
import { paidOnOf } from "./insert.service.ts";

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

/** The ground of a trial: nothing is locked. */
export async function readGround(read: Read, receipt: Receipt): Promise<Ground> {
  const paidOn = paidOnOf(read, receipt.paidAt);
  const bills = belonging(await readBills(read, billIdsOf(receipt)), receipt);
  const prepaid = await prepaidOf(read, receipt.villageId, receipt.partyId);
  const flows = receipt.usePrepaid ? await restFlows(read, receipt, false) : [];
  return { bills, around: await aroundOf(read, [receipt.villageId]), prepaid, flows, paidOn };
}

/** Takes every lock of a receipt in the one order: balance, deposits, flows, bills, lines. */
export async function lockGround(act: Act, receipt: Receipt): Promise<Ground> {
  const paidOn = paidOnOf(act, receipt.paidAt);
  const around = await aroundOf(act, [receipt.villageId]);
  const seen = belonging(await readBills(act, billIdsOf(receipt)), receipt);
  const prepaid = await lockPrepaid(act, receipt.villageId, receipt.partyId);
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
  of: { villageId: number; partyId: number },
): Promise<PlanSource[]> {
  const row = await read.tx
    .selectFrom("partyBalance")
    .select(["opening", "openingOn"])
    .where("villageId", "=", of.villageId)
    .where("partyId", "=", of.partyId)
    .where("kind", "=", "prepaid")
    .where("opening", ">", 0)
    .executeTakeFirst();
  return row ? [{ flowId: NO_FLOW, available: row.opening, paidOn: row.openingOn! }] : [];
}
