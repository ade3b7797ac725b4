import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { addHeld, keepContractMoney, lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import { carriedEntry } from "../bill/posting.rules.ts";
import { post } from "../journal/journal.service.ts";
import { type Closing, type Standing, lockStanding } from "./setoff.service.ts";

/** Locks two contracts' money in the one order, and answers how the first stands. */
export async function lockBoth(act: Act, from: Closing, to: Closing): Promise<Standing> {
  await lockPrepaid(act, from.villageId, from.partyId);
  await lockDeposits(act, [from.contractId, to.contractId]);
  return lockStanding(act, from);
}

/**
 * The deposit that is held of one contract is held of the next from now on (E15), in fen; no cash moves. Both are locked.
 * 409 depositUsed where less is held. `times` counts how often money went between the two: 0, then 1 for its way back.
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
    { contractId: to.contractId, kind: "deposit", villageId, amount },
  ]);
  await post(act, [carriedEntry(from, to, amount, { ...way, businessDate: act.today })]);
  await keepContractMoney(act, [from.contractId, to.contractId]);
}
