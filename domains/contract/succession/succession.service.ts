import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { applyRefund, takeBack } from "../../finance/refund/refund.service.ts";
import { carryDeposit, lockAll, lockBoth, spendDeposit } from "../../finance/setoff/carry.service.ts";
import { payDue, trimAccount } from "../../finance/setoff/setoff.service.ts";
import {
  changed,
  freeRooms,
  lockRooms,
  release,
  shorten,
  take,
} from "../../listing/occupancy/occupancy.service.ts";
import { cleanAfterLeaving } from "../../listing/turnover/turnover.service.ts";
import { closingOf, cutsTo } from "../act/cut.queries.ts";
import type { ActState } from "../act/act.rules.ts";
import { keepActWording } from "../act/act.service.ts";
import { handoverHeld } from "../contract/facts.queries.ts";
import { type ContractRecord, contractNote, recordById, stillLet } from "../contract/record.queries.ts";
import { SUCCESSIONS, type TakeOver } from "../terms/terms.contract.ts";
import { actBehind, spendsRest, successionRefusal, waysBetween } from "./succession.queries.ts";

/** The act that a contract came of goes with it: handed in, a draft again, given up. */
export async function followAct(
  act: Act,
  contractId: number,
  state: Extract<ActState, "handling" | "approving" | "signing" | "cancelled">,
  why = "",
): Promise<void> {
  const of = await actBehind(act, contractId);
  if (!of || of.state === "done" || of.state === "cancelled") return;
  const next = (await recordById(act, contractId))!;
  const previous = (await recordById(act, next.previousId!))!;
  await act.tx
    .updateTable("contractAct")
    .set({
      state,
      // as it was shown: from now on the contract stays with the record that it names
      ...(state === "approving" && {
        payload: JSON.stringify(waysBetween(next.terms.takeOver!.kind, of.payload, previous, next)),
      }),
      ...(state === "cancelled" && { endReason: why.slice(0, 200), resultContractId: null }),
      version: of.version + 1,
      ...stamp(act),
    })
    .where("id", "=", of.id)
    .execute();
  if (state === "approving") await keepActWording(act, next, of);
}

type Successor = ContractRecord & { terms: { takeOver: TakeOver } };
export const isSuccessor = (contract: ContractRecord): contract is Successor =>
  contract.previousId !== null && Boolean(contract.terms.takeOver);

/** The contract whose rooms it gets when it comes into force: until then the lease there keeps others out. */
export const giverOf = ({ previousId, terms: { takeOver } }: ContractRecord): number | null =>
  takeOver?.kind === "changeTenant" ? previousId : (takeOver?.swapWith ?? null);

/**
 * The first half of coming into force: the contract before gives up its rooms from the first day on. Refused where it has
 * gone another way meanwhile.
 */
export async function enterAfter(act: Act, contract: Successor): Promise<ContractRecord> {
  const { kind } = contract.terms.takeOver;
  const previous = (await recordById(act, contract.previousId!, true))!;
  const of = (await actBehind(act, contract.id))!;
  const { arrearsReason } = of.payload;
  const after = { id: contract.id, kind, start: contract.start!, arrearsReason };
  const why = await successionRefusal(act, previous, after);
  if (why) throw new Refusal("notAllowed", why, 409);
  if (kind === "renewal") return previous;
  const last = addDays(contract.start!, -1);
  await shorten(act, { contractId: previous.id }, last);
  const giver = giverOf(contract);
  if (giver !== null) {
    await shorten(act, { contractId: giver }, last);
    await release(act, { contractId: contract.id });
    const [from, to] = [contract.start!, contract.end!];
    const ours = { kind: "lease" as const, contractId: contract.id };
    await take(
      act,
      contract.rooms.map(({ roomId }) => ({ roomId, from, to, ...ours })),
    );
  }
  return previous;
}

/**
 * Everything that contracts which come after others move is locked before: what it comes to stays as it is, and no two swaps wait for
 * each other.
 */
export async function lockSwapped(act: Act, drawn: readonly ContractRecord[]): Promise<void> {
  const before: ContractRecord[] = [];
  for (const id of drawn.map((c) => c.previousId!).toSorted((a, b) => a - b))
    before.push((await recordById(act, id, true))!);
  await lockRooms(
    act,
    drawn.flatMap((c) => c.rooms.map((r) => r.roomId)),
  );
  await lockAll(act, [...before, ...drawn].map(closingOf));
}

/** Refunds go out for whoever carried the act out, also where a seal that sets itself did. */
const inVillage = (act: Act, villageId: number): Act => ({
  ...act,
  who: { ...act.who, villages: [...act.who.villages, villageId] },
});

/**
 * The second half, once the bills stand: the account before is cut on the last day there, its deposit goes over (E15), and
 * what was paid beyond pays what the new contract charges on signing, `first` fen at most, or goes back.
 */
export async function takeFrom(
  act: Act,
  contract: Successor,
  previous: ContractRecord,
  first: Fen,
): Promise<void> {
  const { takeOver } = contract.terms;
  const of = (await actBehind(act, contract.id))!;
  const [from, to] = [closingOf(previous), closingOf(contract)];
  const standing = await lockBoth(act, from, to);
  if (standing.deposit < takeOver.deposit)
    throw new Refusal(
      "notAllowed",
      `原合同在管押金已变为 ${yuan(standing.deposit)} 元，请撤回后重新提交`,
      409,
    );
  const reason = `${SUCCESSIONS[takeOver.kind][0]} ${of.actNo}`;
  const { credit, held } =
    takeOver.kind === "renewal"
      ? { credit: 0, held: 0 }
      : await cutBefore(act, contract, previous, standing, reason);
  await carryDeposit(act, from, to, takeOver.deposit, { sourceId: contract.id, times: 0 });
  const over = standing.deposit + held - takeOver.deposit;
  const refund = (source: "deposit" | "prepaid", sourceId: number, amount: Fen) =>
    applyRefund(inVillage(act, previous.villageId), {
      source,
      sourceId,
      villageId: previous.villageId,
      amount,
      reason,
      later: true,
    });
  const { credit: way } = of.payload;
  const ahead = contract.terms.due.firstDueDays ?? 0;
  const used =
    credit && way === "carry" && takeOver.kind === "changeRoom"
      ? await payDue(act, to, Math.min(credit, first), addDays(act.today, ahead))
      : 0;
  const spent = spendsRest(of.payload) ? await spendDeposit(act, from, to, over, contract.id) : 0;
  const rest = over - spent;
  const back = rest > 0 ? await refund("deposit", previous.id, rest) : null;
  const unused = credit && way === "refund" ? await refund("prepaid", previous.partyId!, credit) : null;
  await act.tx
    .updateTable("contract")
    .set({
      nextId: contract.id,
      ...(takeOver.kind !== "renewal" && { leaveDate: addDays(contract.start!, -1) }),
      version: previous.version + 1,
      ...stamp(act),
    })
    .where("id", "=", previous.id)
    .execute();
  await act.tx
    .updateTable("contract")
    .set({ chainId: previous.chainId ?? previous.id })
    .where("id", "=", contract.id)
    .execute();
  await act.tx
    .updateTable("contractAct")
    .set({
      state: "done",
      net: credit - used,
      trace: JSON.stringify({ credit, used, spent, deposit: takeOver.deposit, unused: unused?.id ?? null }),
      refundId: back?.id ?? unused?.id ?? null,
      doneAt: act.now.toISOString(),
      version: of.version + 1,
      ...stamp(act),
    })
    .where("id", "=", of.id)
    .execute();
  await act.tx
    .updateTable("changeMoney")
    .set({
      depositBack: Math.max(0, rest),
      depositUsed: spent,
      creditUsed: used,
      creditBack: unused ? credit : 0,
    })
    .where("actId", "=", of.id)
    .execute();
  await act.note(
    contractNote(previous, SUCCESSIONS[takeOver.kind][0], `${of.actNo} 新合同 ${contract.contractNo} 已签署`),
  );
  if (contract.start! <= act.today) await begin(act, previous.id, contract.id);
}

/** The account before is charged to the day before the change. Answers what was paid beyond, by money and by the deposit. */
async function cutBefore(
  act: Act,
  contract: Successor,
  previous: ContractRecord,
  standing: Awaited<ReturnType<typeof lockBoth>>,
  reason: string,
): Promise<{ credit: Fen; held: Fen }> {
  const { backs, missing } = await cutsTo(act, previous, standing, addDays(contract.start!, -1));
  if (missing) throw new Refusal("notAllowed", `有 ${missing} 项账单与合同条款不一致，请先核对合同账单`, 409);
  return trimAccount(act, closingOf(previous), standing, { backs, reason });
}

/**
 * The day has come: the contract before is over, and where its tenant lived the tenant lives on, unless the next one was settled
 * before anybody moved in.
 */
async function begin(act: Act, previousId: number, nextId: number): Promise<void> {
  const previous = (await recordById(act, previousId, true))!;
  const next = (await recordById(act, nextId))!;
  if (!isSuccessor(next)) return;
  const { kind, swapWith } = next.terms.takeOver;
  const livedIn = next.state === "effective";
  const last = addDays(next.start!, -1);
  const state = { renewal: "renewed", changeRoom: "changedRoom", changeTenant: "terminated" } as const;
  await act.tx
    .updateTable("contract")
    .set({
      state: state[kind],
      ...(kind === "changeTenant" && { endReason: "changeTenant" }),
      version: sql`version + 1`,
      ...stamp(act),
    })
    .where("id", "=", previousId)
    .execute();
  await sql`
    update contract_occupant set to_date = greatest(from_date, ${last}::date)
    where contract_id = ${previousId} and (to_date is null or to_date > ${last}::date)`.execute(act.tx);
  // another room is moved into once it is ready: until then the keys wait for 办理入住
  const ready = livedIn && (kind === "renewal" || !(await handoverHeld(act, nextId)));
  if (kind !== "changeTenant" && previous.handoverOn && ready)
    await act.tx
      .updateTable("contract")
      .set({ handoverOn: next.start, version: sql`version + 1` })
      .where("id", "=", nextId)
      .where("handoverOn", "is", null)
      .execute();
  if (kind === "changeRoom" || !livedIn) {
    await freeRooms(act, { contractId: previousId }, last);
    // who swaps rooms moves in as the other moves out
    if (!swapWith) await cleanAfterLeaving(act, stillLet(previous), last);
  }
  await changed(
    act,
    [previous, next].flatMap(({ rooms, villageId }) => rooms.map(({ roomId }) => ({ roomId, villageId }))),
  );
  const how = livedIn ? `于 ${next.start} 起租` : "未入住即已退房";
  await act.note(contractNote(previous, SUCCESSIONS[kind][0], `${next.contractNo} ${how}，本合同结束`));
}

/** Contracts whose successor begins by today. Answers how many there were. */
export async function beginDue(act: Act): Promise<number> {
  const { rows } = await sql<{ id: number; nextId: number; contractNo: string }>`
    select c.id, n.id "nextId", n.contract_no "contractNo" from contract n join contract c on c.next_id = n.id
    where n.start_date <= ${act.today}::date and n.previous_id is not null and in_force(c.state)
    order by c.id`.execute(act.tx);
  return eachByItself(
    act,
    rows,
    ({ contractNo }) => contractNo,
    async ({ id, nextId }) => {
      await begin(act, id, nextId);
    },
  );
}

/** A renewal is taken back before anything was paid on it: the deposit returns, the lease before runs as it did. */
export async function goBack(act: Act, contract: ContractRecord, why: string): Promise<void> {
  if (!isSuccessor(contract)) return;
  const { takeOver } = contract.terms;
  if (takeOver.kind !== "renewal")
    throw new Refusal(
      "notAllowed",
      `${SUCCESSIONS[takeOver.kind][0]}的合同不能作废，请在新合同上办理退房`,
      409,
    );
  const previous = (await recordById(act, contract.previousId!, true))!;
  const of = (await actBehind(act, contract.id))!;
  const [from, to] = [closingOf(previous), closingOf(contract)];
  await lockBoth(act, from, to);
  if (of.refundId) await takeBack(act, of.refundId, `作废续租合同 ${contract.contractNo}`);
  await carryDeposit(act, to, from, takeOver.deposit, { sourceId: contract.id, times: 1 });
  const over = previous.end! < act.today ? "expired" : "effective";
  await act.tx
    .updateTable("contract")
    .set({
      nextId: null,
      ...(previous.state === "renewed" && { state: over }),
      version: previous.version + 1,
      ...stamp(act),
    })
    .where("id", "=", previous.id)
    .execute();
  await act.tx
    .updateTable("contractAct")
    .set({ state: "cancelled", endReason: why.slice(0, 200), version: of.version + 1, ...stamp(act) })
    .where("id", "=", of.id)
    .execute();
}
