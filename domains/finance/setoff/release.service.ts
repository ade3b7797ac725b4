import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Share, newestFirst, NO_FLOW } from "../allocation/allocation.rules.ts";
import { type Undoing, allocate, standing, undoAllocations } from "../allocation/allocation.service.ts";
import type { Bill } from "../bill/bill.rules.ts";
import { type Around, lockBills } from "../bill/bills.queries.ts";
import { type SetOff, payByDeposit, undoDeposit } from "./deposit.service.ts";
import type { CutLine } from "./setoff.rules.ts";

/** Whose account is closed: one contract's, with its party. */
export type Closing = { contractId: number; villageId: number; partyId: number; roomId: number | null };

/** What a closing stands on: the contract's bills, its deposit, and what its party has prepaid in the village. */
export type Standing = {
  bills: Bill[];
  deposit: Fen;
  prepaid: Fen;
  /** What the deposit has paid of them already. */
  setOff: (SetOff & { date: Day })[];
  around: Around;
};

/** What was taken back or set off, as it is needed to bring everything back. */
export type Trace = {
  /** Payments that went back to the prepaid balance. */
  freed: { lineId: number; flowId: number | null; amount: Fen; date: Day }[];
  /** Payments out of the deposit that are held again. */
  heldAgain?: { lineId: number; amount: Fen; date: Day }[];
  /** Lines that were lowered, with the amounts. */
  trimmed: { lineId: number; amount: Fen }[];
  /** Bills that were voided. */
  voided: number[];
  /** Late-fee lines that were written. */
  late: number[];
  /** What was set off: allocations of the deposit, and of prepaid money. */
  setOff: number[];
  billId: number | null;
  /** The act that made other bills: each carries it, also when it was voided and written again since. */
  madeBy?: number;
};

/** `held`: what of the deposit is held again in all. */
type Freed = { held: Fen; again: Again[]; trace: Required<Pick<Trace, "freed" | "heldAgain">> };

type Again = { billId: number; flowId: number | null; byDeposit: boolean; amount: Fen; date: Day };
/** `again`: what of it pays other lines of the same bills, out of the same money and on its own day. */
type Released = { undoing: Undoing[]; unheld: (SetOff & { date: Day })[]; free: Free[]; again: Again[] };
type Free = Again & { id: number; lineId: number };

/** What of payments goes back with a cut: money before deposit, the newest payment first, and of each line what is free first. */
export async function releasedBy(
  read: Pick<Read, "tx">,
  setOff: Standing["setOff"],
  cut: readonly CutLine[],
): Promise<Released> {
  const over = cut.filter((c) => c.credit + c.moved > 0);
  const all = Map.groupBy(
    await standing(read, { billIds: [...new Set(over.map((c) => c.billId))] }),
    (a) => a.billLineId,
  );
  const byDeposit = Map.groupBy(setOff, (a) => a.billLineId);
  const released: Released = { undoing: [], unheld: [], free: [], again: [] };
  for (const { line, credit, moved } of over) {
    const { taken, left } = newestFirst(all.get(line.id) ?? [], credit + moved);
    const held = newestFirst(byDeposit.get(line.id) ?? [], left).taken;
    released.undoing.push(...taken);
    released.unheld.push(...held);
    const parts = [
      ...taken.map((a): Free => ({ ...a, lineId: line.id, byDeposit: false })),
      ...held.map((a): Free => ({ ...a, lineId: line.id, flowId: null, byDeposit: true })),
    ];
    let free = credit;
    for (const part of parts) {
      const goes = Math.min(free, part.amount);
      free -= goes;
      if (goes) released.free.push({ ...part, amount: goes });
      if (part.amount > goes) released.again.push({ ...part, amount: part.amount - goes });
    }
  }
  return released;
}

/**
 * Takes back what was paid of lines beyond what is left of them, money before deposit and the newest payment first (E09, E14).
 * Of a payment that was only partly too much the rest stands: nothing was late that was paid in time.
 */
export async function freeCredits(
  act: Act,
  of: Closing,
  { bills, around, setOff }: Pick<Standing, "bills" | "around" | "setOff">,
  cut: readonly CutLine[],
): Promise<Freed> {
  const { undoing, unheld, free, again } = await releasedBy(act, setOff, cut);
  await undoAllocations(act, undoing, bills, around.subjects);
  await undoDeposit(act, of, unheld);
  return {
    held: free.reduce((sum, paid) => (paid.byDeposit ? sum + paid.amount : sum), 0),
    again,
    trace: {
      freed: undoing.map(({ billLineId: lineId, flowId, amount, date }) => ({
        lineId,
        flowId,
        amount,
        date,
      })),
      heldAgain: unheld.map(({ billLineId: lineId, amount, date }) => ({ lineId, amount, date })),
    },
  };
}

/** What was paid of lines that cost less now pays those of their bills that cost more. Answers the allocations. */
export async function payWithin(
  act: Act,
  of: Closing,
  cut: readonly CutLine[],
  again: readonly Again[],
  around: Around,
): Promise<number[]> {
  const left = again.map((a) => ({ ...a }));
  const shares = cut.flatMap(({ billId, line, moved }) => {
    let wanted = -moved;
    return left.flatMap((from) => {
      const amount = from.billId === billId ? Math.min(wanted, from.amount) : 0;
      if (amount <= 0) return [];
      wanted -= amount;
      from.amount -= amount;
      return [{ ...from, lineId: line.id, amount }];
    });
  });
  const [held, money] = [shares.filter((s) => s.byDeposit), shares.filter((s) => !s.byDeposit)];
  const ids = await payOn(
    act,
    of,
    money.map((s) => ({ ...s, flowId: s.flowId ?? NO_FLOW })),
    around,
  );
  return [...ids, ...(await payHeldOn(act, of, held))];
}

/** What a deposit had paid it pays on its own day again, booked today. */
export async function payHeldOn(
  act: Act,
  of: Closing,
  paid: readonly { billId: number; lineId: number; amount: Fen; date: Day }[],
): Promise<number[]> {
  const bills = await lockBills(act, [...new Set(paid.map((p) => p.billId))]);
  const ids: number[] = [];
  for (const [date, paying] of Map.groupBy(paid, (p) => p.date))
    ids.push(...(await payByDeposit(act, of, bills, paying, date, act.today)));
  return ids;
}

/**
 * Payments made again, each out of its own flow and on its own day, and booked today as what they stand in for is taken back:
 * what was owed on a day between stays as it was. Answers their allocations.
 */
export async function payOn(
  act: Act,
  of: Closing,
  shares: readonly (Share & { date: Day })[],
  { subjects }: Around,
): Promise<number[]> {
  const bills = await lockBills(act, [...new Set(shares.map((s) => s.billId))]);
  const ids: number[] = [];
  for (const [date, paid] of Map.groupBy(shares, (s) => s.date))
    ids.push(...(await allocate(act, of, paid, bills, subjects, date, act.today)));
  return ids;
}
