import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { OrderKey } from "../setting/setting.rules.ts";

/** Something that can be paid: an open line, or (`lineId` null) the late fee a bill has grown by and that stands nowhere yet. */
export type Payable = {
  billId: number;
  lineId: number | null;
  dueDate: Day;
  owed: Fen;
  lateFee: boolean;
  /** Of the fee subject; lower is paid first. */
  priority: number;
};
export type Paying = { billId: number; lineId: number | null; amount: Fen };

const BY: Record<OrderKey, (a: Payable, b: Payable) => number> = {
  due: (a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0),
  principalFirst: (a, b) => Number(a.lateFee) - Number(b.lateFee),
  priority: (a, b) => a.priority - b.priority,
};

/** In the order they are paid: by the setting's keys, then bill and line by id. A fee not written yet comes after one that is. */
export function inOrder<P extends Payable>(items: readonly P[], keys: readonly OrderKey[]): P[] {
  const last = Number.MAX_SAFE_INTEGER;
  return items.toSorted((a, b) => {
    for (const key of keys) {
      const d = BY[key](a, b);
      if (d) return d;
    }
    return a.billId - b.billId || (a.lineId ?? last) - (b.lineId ?? last);
  });
}

/** Pays in order until the money is used. What is left over is the rest of the answer. */
export function allot(ordered: readonly Payable[], money: Fen): { paying: Paying[]; rest: Fen } {
  const paying: Paying[] = [];
  let rest = money;
  for (const { billId, lineId, owed } of ordered) {
    const amount = Math.min(owed, rest);
    if (amount <= 0) continue;
    paying.push({ billId, lineId, amount });
    rest -= amount;
  }
  return { paying, rest };
}

/** Stands for the flow of prepaid money from before the take-over, of which nobody knows the flow. */
export const NO_FLOW = 0;

export type Source = { flowId: number; available: Fen };
export type Share = Paying & { lineId: number; flowId: number };

/** Takes each payment out of the flows, the first flow first, so that every fen keeps its flow. */
export function drawn(paying: readonly (Paying & { lineId: number })[], sources: readonly Source[]): Share[] {
  const shares: Share[] = [];
  const left = sources.map((s) => ({ ...s }));
  for (const pay of paying) {
    let open = pay.amount;
    while (open > 0) {
      const source = left.find((s) => s.available > 0);
      if (!source) throw new RangeError(`${open} fen more than the flows hold`);
      const amount = Math.min(open, source.available);
      shares.push({ ...pay, amount, flowId: source.flowId });
      source.available -= amount;
      open -= amount;
    }
  }
  return shares;
}

/** So much of payments, the newest first: each whole but for the last. With what they do not reach. */
export function newestFirst<P extends { amount: Fen }>(
  paid: readonly P[],
  wanted: Fen,
): { taken: P[]; left: Fen } {
  const taken: P[] = [];
  let left = wanted;
  for (const payment of paid.toReversed()) {
    const amount = Math.min(left, payment.amount);
    if (amount <= 0) break;
    taken.push({ ...payment, amount });
    left -= amount;
  }
  return { taken, left };
}

/** Payments of lines as they stand: what was taken back is off, and so is one that was taken back whole. */
export const paidLines = <A extends { amount: Fen; undone: Fen; undoesId: number | null }>(
  allocations: readonly A[],
): A[] =>
  allocations
    .filter((a) => a.undoesId === null && a.undone < a.amount)
    .map((a) => ({ ...a, amount: a.amount - a.undone }));

/** That a payment was taken back, or how much of it was. */
export const takenBack = ({ amount, undone }: { amount: Fen; undone: Fen }): string =>
  undone === 0 ? "" : undone < amount ? `已撤销 ${yuan(undone)} ` : "已撤销";

/** What a person wants paid: chosen lines paid as far as the money goes, or with an amount each. */
export type Want = { billId: number; lineId: number | null; amount?: Fen };

export const keyOf = ({ billId, lineId }: { billId: number; lineId: number | null }) =>
  `${billId}:${lineId ?? "fee"}`;

/** Pays what is wanted out of one source, in order; takes what it paid off the wants. */
export function payFrom(
  ordered: readonly Payable[],
  wants: Map<string, Fen>,
  available: Fen,
): { paying: Paying[]; rest: Fen } {
  const paying: Paying[] = [];
  let rest = available;
  for (const { billId, lineId, owed } of ordered) {
    const key = keyOf({ billId, lineId });
    const want = wants.get(key) ?? 0;
    const amount = Math.min(owed, want, rest);
    if (amount <= 0) continue;
    wants.set(key, want - amount);
    paying.push({ billId, lineId, amount });
    rest -= amount;
  }
  return { paying, rest };
}
