import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { addHeld, keepContractMoney, lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import { aroundOf, billsOfContract, lockBills } from "../bill/bills.queries.ts";
import { keepAround } from "../bill/keep.service.ts";
import { carriedEntry } from "../bill/posting.rules.ts";
import { post } from "../journal/journal.service.ts";
import { payByDeposit } from "./deposit.service.ts";
import { allotted } from "./setoff.rules.ts";
import { type Closing, type Standing, isCharged, lockStanding } from "./setoff.service.ts";

/** Locks the money of contracts whose acts are carried out together, so that no two such acts wait for each other. */
export async function lockAll(act: Act, closings: readonly Closing[]): Promise<void> {
  const sorted = closings.toSorted((a, b) => a.villageId - b.villageId || a.partyId - b.partyId);
  for (const { villageId, partyId } of sorted) await lockPrepaid(act, villageId, partyId);
  await lockDeposits(
    act,
    closings.map((c) => c.contractId),
  );
}

/** Locks two contracts' money in the one order, and answers how the first stands. */
export async function lockBoth(act: Act, from: Closing, to: Closing): Promise<Standing> {
  await lockPrepaid(act, from.villageId, from.partyId);
  await lockDeposits(act, [from.contractId, to.contractId]);
  return lockStanding(act, from);
}

/**
 * The deposit that is held of one contract is held of the next from now on (E15), in fen; no cash moves. Both are locked.
 * 409 depositUsed where less is held. `times` tells what went between the two apart: 0 the deposit, 1 its way back, 2 what pays bills.
 */
export async function carryDeposit(
  act: Act,
  from: Closing,
  to: Closing,
  amount: Fen,
  way: { sourceId: number; times: number },
): Promise<void> {
  if (!amount) return;
  const { villageId } = from;
  await addHeld(act, [
    { contractId: from.contractId, kind: "deposit", villageId, amount: -amount },
    { contractId: to.contractId, kind: "deposit", villageId: to.villageId, amount },
  ]);
  await post(act, [carriedEntry(from, to, amount, { ...way, businessDate: act.today })]);
  await keepContractMoney(act, [from.contractId, to.contractId]);
}

/**
 * What of a deposit is asked for no more pays the charges of the next contract, the oldest due first (E15, E14): at most `most`
 * fen. Both are locked. Answers what was paid.
 */
export async function spendDeposit(
  act: Act,
  from: Closing,
  to: Closing,
  most: Fen,
  sourceId: number,
): Promise<Fen> {
  if (most <= 0) return 0;
  const around = await aroundOf(act, [to.villageId]);
  const seen = await billsOfContract(act, to.contractId);
  const bills = await lockBills(
    act,
    seen.filter((b) => !b.voidedAt && b.direction === "receivable").map((b) => b.id),
  );
  const { paying, touched } = allotted(bills, most, isCharged(around));
  const spent = paying.reduce((sum, p) => sum + p.amount, 0);
  if (!spent) return 0;
  await issueBills(act, touched, around.subjects);
  await carryDeposit(act, from, to, spent, { sourceId, times: 2 });
  await payByDeposit(act, to, touched, paying, act.today);
  await keepAround(act, touched);
  return spent;
}
