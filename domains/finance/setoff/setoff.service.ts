import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Paying, type Share, drawn, NO_FLOW } from "../allocation/allocation.rules.ts";
import { allocate, standing } from "../allocation/allocation.service.ts";
import { lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import { type Bill, type Line, isPayable } from "../bill/bill.rules.ts";
import { type NewBill, makeBills, voidBills } from "../bill/bill.service.ts";
import {
  type Around,
  aroundOf,
  billIdsOf,
  billsOfContract,
  byDueDay,
  lockBills,
} from "../bill/bills.queries.ts";
import { keepAround } from "../bill/keep.service.ts";
import { restFlows } from "../flow/receive.service.ts";
import { freezeLateFees, freezable, lateFeesOf, moneyDays } from "../latefee/latefee.service.ts";
import { balancesOf } from "../refund/held.queries.ts";
import { payByDeposit, setOffOf } from "./deposit.service.ts";
import {
  type Closing,
  type Standing,
  type Trace,
  freeCredits,
  payWithin,
  releasedBy,
} from "./release.service.ts";
import {
  afterCut,
  allotted,
  type Back,
  cutLines,
  type CutLine,
  owedLines,
  isDropped,
  paidBy,
  withinBills,
} from "./setoff.rules.ts";

export type { Closing, Standing, Trace } from "./release.service.ts";

const live = (bills: readonly Bill[]) => bills.filter((b) => !b.voidedAt && b.direction === "receivable");

/** As it stands now; with `lock` in the one order of locks: balance, deposits, flows, bills. */
export const standingOf = async (read: Read, of: Closing): Promise<Standing> =>
  standingOn(read, of, live(await billsOfContract(read, of.contractId)));

async function standingOn(read: Read, of: Closing, bills: Bill[]): Promise<Standing> {
  const { deposit, prepaid } = await balancesOf(read, {
    ...of,
    source: "settlement",
    sourceId: of.contractId,
  });
  return {
    bills,
    deposit: deposit.held,
    prepaid: prepaid.held,
    setOff: await setOffOf(read, of.contractId),
    around: await aroundOf(read, [of.villageId]),
  };
}

export async function lockStanding(act: Act, of: Closing): Promise<Standing> {
  await lockPrepaid(act, of.villageId, of.partyId);
  await lockDeposits(act, [of.contractId]);
  const paid = await standing(act, { billIds: await billIdsOf(act, of.contractId) });
  const flowIds = paid.flatMap((a) => (a.flowId === null ? [] : [a.flowId]));
  if (flowIds.length)
    await act.tx
      .selectFrom("flow")
      .select("id")
      .where("id", "in", [...new Set(flowIds)])
      .orderBy("id")
      .forUpdate()
      .execute();
  const bills = await lockBills(act, await billIdsOf(act, of.contractId));
  return standingOn(act, of, live(byDueDay(bills)));
}

/**
 * The late fee that each bill has grown by up to a day and that stands on no line yet, once its lines are cut and what was paid of
 * them too much is free: that was then never paid on them.
 */
export async function lateFeesAfter(
  read: Read,
  { bills, around, setOff }: Standing,
  cut: readonly CutLine[],
  until: Day,
): Promise<Map<number, Fen>> {
  const left = afterCut(bills, cut).filter((b) => b.outstanding > 0);
  const { free } = await releasedBy(read, setOff, cut);
  const days = await moneyDays(
    read,
    free.map((a) => a.id),
  );
  const paid = free.map(({ id, lineId, amount }) => ({ lineId, day: days.get(id)!, amount: -amount }));
  const fees = await lateFeesOf(read, left, until, { ...around, paid });
  return new Map(
    left.flatMap((bill) => {
      const fee = fees.get(bill.id);
      const amount = fee ? freezable(bill, fee, around.settings(bill.villageId).lateFeeMin) : 0;
      return amount ? [[bill.id, amount] as const] : [];
    }),
  );
}

export type Closed = { deposit: Fen; prepaid: Fen; open: Fen; trace: Trace };

/**
 * Closes a contract's account on a day, under the locks of `lockStanding`: lines are cut and what was paid of them too much
 * goes back to the prepaid balance (E09) or, where the deposit paid it, to the deposit (E14), late fee is written (E03), what is charged with it is billed (E01), and deposit
 * and prepaid money pay what is open (E14, E08), by the store's `setoffOrder` one after the other, of the prepaid balance at most `prepaid` beside what went back. Answers
 * what is left of deposit and prepaid money and what is still open.
 */
export async function closeAccount(
  act: Act,
  of: Closing,
  { bills, around, deposit, setOff: paidBefore }: Standing,
  how: { backs: readonly Back[]; charge: NewBill | null; prepaid: Fen; settleOn: Day; reason: string },
): Promise<Closed> {
  const { subjects } = around;
  const ground = { bills, around, setOff: paidBefore };
  const { credit, held, gone, ...cutOff } = await trimAccount(act, of, ground, how);
  const made = how.charge ? await makeBills(act, [how.charge]) : [];
  const left = await lockBills(act, [
    ...bills.filter((b) => !gone.has(b.id)).map((b) => b.id),
    ...made.map((m) => m.id),
  ]);
  const owing = left.filter((b) => b.outstanding > 0);
  await issueBills(act, owing, subjects);
  const late = await freezeLateFees(act, owing, how.settleOn, around);
  const lines = owedLines(owing, isPayable, made[0]?.id);
  const paid = paidBy(around.settings(of.villageId).setoffOrder, lines, {
    deposit: deposit + held,
    prepaid: how.prepaid + credit,
  });
  const setOff = [
    ...(await payByDeposit(act, of, owing, paid.deposit.paying, how.settleOn)),
    ...(await payByPrepaid(act, of, owing, paid.prepaid.paying, around, how.settleOn)),
  ];
  await keepAround(act, left);
  const sum = (paying: readonly { amount: Fen }[]) => paying.reduce((total, p) => total + p.amount, 0);
  return {
    deposit: paid.deposit.rest,
    prepaid: paid.prepaid.rest,
    open: lines.reduce((total, l) => total + l.owed, 0) - sum(paid.deposit.paying) - sum(paid.prepaid.paying),
    trace: {
      ...cutOff,
      voided: [...gone],
      late: [...late.values()].map((l) => l.id),
      setOff: [...cutOff.setOff, ...setOff],
      billId: made[0]?.id ?? null,
    },
  };
}

/** What was taken off a contract's bills: what of its payments is free or held again. */
export type Cut = Pick<Trace, "freed" | "heldAgain" | "trimmed" | "setOff"> & {
  credit: Fen;
  held: Fen;
  gone: Set<number>;
};

/**
 * Takes so much off lines, under the locks of `lockStanding`: bills of which nothing is left are voided (E05), the others
 * lowered (E04), and what was paid of them too much goes back to the prepaid balance (E09) or the deposit (E14). Answers
 * that `credit` and that `held` in fen.
 */
export async function trimAccount(
  act: Act,
  of: Closing,
  { bills, around, setOff }: Pick<Standing, "bills" | "around" | "setOff">,
  { backs, reason }: { backs: readonly Back[]; reason: string },
): Promise<Cut> {
  const cut = withinBills(cutLines(bills, backs));
  const freed = await freeCredits(act, of, { bills, around, setOff }, cut);
  const dropped = bills.filter((bill) => isDropped(bill, cut));
  const gone = new Set(dropped.map((b) => b.id));
  await voidBills(
    act,
    dropped.map((b) => b.id),
    reason,
  );
  const trimmed = cut
    .filter((c) => c.after !== c.before && !gone.has(c.billId))
    .map((c) => ({ lineId: c.line.id, amount: c.after - c.before }));
  await adjustLines(
    act,
    trimmed.map((t) => ({ ...t, kind: "trim" as const, reason })),
  );
  const moved = await payWithin(act, of, cut, freed.again, around);
  await keepAround(act, bills);
  return {
    credit: cut.reduce((sum, c) => sum + c.credit, 0) - freed.held,
    held: freed.held,
    gone,
    trimmed,
    setOff: moved,
    ...freed.trace,
  };
}

/** Deposits are left to the tenant. */
export const isCharged =
  ({ subjects }: Around) =>
  (line: Line): boolean =>
    isPayable(line) && subjects.of(line.feeSubjectId).kind !== "deposit";

/**
 * Pays what of a contract falls due up to a day out of what its party has prepaid, at most `most` fen; deposits are left to
 * the tenant. Everything is locked by the caller. Answers what was paid.
 */
export async function payDue(act: Act, of: Closing, most: Fen, until: Day): Promise<Fen> {
  const seen = live(await billsOfContract(act, of.contractId)).filter((b) => b.dueDate <= until);
  const bills = await lockBills(
    act,
    seen.map((b) => b.id),
  );
  const around = await aroundOf(act, [of.villageId]);
  const { subjects } = around;
  await issueBills(act, bills, subjects);
  const { paying } = allotted(bills, most, isCharged(around));
  await payByPrepaid(act, of, bills, paying, around, act.today);
  await keepAround(act, bills);
  return paying.reduce((sum, p) => sum + p.amount, 0);
}

/** E08 out of what the party has prepaid, the oldest money first, on the day of the settlement. */
export async function payByPrepaid(
  act: Act,
  of: Closing,
  bills: readonly Bill[],
  paying: readonly Paying[],
  { subjects }: Around,
  day: Day,
): Promise<number[]> {
  if (!paying.length) return [];
  const flows = await restFlows(act, of, true);
  const sources = flows.map((f) => ({ flowId: f.flowId ?? NO_FLOW, available: f.available }));
  const lines = paying.map((p) => ({ ...p, lineId: p.lineId! }));
  const shares: Share[] = drawn(lines, sources);
  return allocate(act, of, shares, bills, subjects, day);
}
