import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { SetoffOrder } from "../setting/setting.rules.ts";
import { type Payable, type Paying, allot } from "../allocation/allocation.rules.ts";
import { type Bill, type Line, type SliceOf, isPayable, netOf } from "../bill/bill.rules.ts";

/** So much of a line is no longer owed; what was paid of it beyond that goes back to the payer. */
export type Back = { lineId: number; back: Fen };

/** So much off a line, or, below nothing, onto it; with the days it is for and how it came about. */
export type LineCut = Back & { slices?: SliceOf[] | undefined; explain: object };

/**
 * A line after the cut: what is left of it, what was paid too much, what is still open; `moved` is what was paid of it too much and
 * pays another line of its bill, below nothing what comes to it that way.
 */
export type CutLine = {
  billId: number;
  line: Line;
  before: Fen;
  after: Fen;
  credit: Fen;
  open: Fen;
  moved: Fen;
};

/**
 * Bills with some of each line taken off. A line never falls below what was written off of it, and a reduction that was
 * given before counts towards what goes back: a line ends at nothing and not below.
 */
export function cutLines(bills: readonly Bill[], backs: readonly Back[]): CutLine[] {
  const off = new Map(backs.map(({ lineId, back }) => [lineId, back]));
  return bills.flatMap((bill) =>
    bill.lines.filter(isPayable).map((line): CutLine => {
      const before = netOf(line);
      const after = Math.max(before - (off.get(line.id) ?? 0), line.writtenOff);
      const due = after - line.writtenOff;
      return {
        billId: bill.id,
        line,
        before,
        after,
        credit: Math.max(0, line.settled - due),
        open: Math.max(0, due - line.settled),
        moved: 0,
      };
    }),
  );
}

/**
 * The same where what was paid too much of a bill's lines first pays what others of them cost more now: a discount that stands on
 * one line falls with another, and who had paid the bill owes nothing of it.
 */
export function withinBills(cut: readonly CutLine[]): CutLine[] {
  return [...Map.groupBy(cut, (c) => c.billId).values()].flatMap((own) => {
    const dearer = (c: CutLine) => Math.min(c.open, Math.max(0, c.after - c.before));
    const sum = (of: (c: CutLine) => Fen) => own.reduce((total, c) => total + of(c), 0);
    let leaving = Math.min(
      sum((c) => c.credit),
      sum(dearer),
    );
    let coming = leaving;
    return own.map((c): CutLine => {
      const leaves = Math.min(leaving, c.credit);
      const comes = Math.min(coming, dearer(c));
      leaving -= leaves;
      coming -= comes;
      return { ...c, credit: c.credit - leaves, open: c.open - comes, moved: leaves - comes };
    });
  });
}

/** The bills as they stand once the lines are cut, for whoever works out what else follows from them. */
export function afterCut(bills: readonly Bill[], cut: readonly CutLine[]): Bill[] {
  const of = new Map(cut.map((c) => [c.line.id, c]));
  return bills.map((bill) => {
    const lines = bill.lines.map((line) => {
      const c = of.get(line.id);
      if (!c) return line;
      const adjusted = c.after - line.amount;
      return { ...line, adjusted, settled: line.settled - c.credit - c.moved, outstanding: c.open };
    });
    const outstanding = lines.reduce((sum, l) => sum + (isPayable(l) ? l.outstanding : 0), 0);
    return { ...bill, lines, outstanding };
  });
}

/** Whether nothing is left of a bill and nothing was ever booked on it: it is voided rather than brought to nothing. */
export const isDropped = (bill: Bill, cut: readonly CutLine[]): boolean =>
  bill.settled === 0 &&
  bill.writtenOff === 0 &&
  bill.invoiced === 0 &&
  bill.invoicing === 0 &&
  cut.every((c) => c.billId !== bill.id || c.after === 0);

type Open = { priority: number; dueDate: Day; lateFee: boolean; billId: number; lineId: number };

/**
 * Set off in this order: what was billed before, then what a closing charges itself (`priority` 1); of each principal before late
 * fee, the oldest due first, then as bills and lines came about.
 */
export const inSetOffOrder = <L extends Open>(lines: readonly L[]): L[] =>
  lines.toSorted(
    (a, b) =>
      a.priority - b.priority ||
      Number(a.lateFee) - Number(b.lateFee) ||
      (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : 0) ||
      a.billId - b.billId ||
      a.lineId - b.lineId,
  );

type Settling = Record<"deposit" | "prepaid", Fen>;
/** What deposit and prepaid money pay of lines, in order: one of them first, the other what is left open; and what is left of each. */
export function paidBy(order: SetoffOrder, lines: readonly Payable[], money: Settling) {
  const first = order === "depositFirst" ? "deposit" : "prepaid";
  const second = first === "deposit" ? "prepaid" : "deposit";
  const before = allot(lines, money[first]);
  const paidOf = new Map(before.paying.map((p) => [p.lineId, p.amount]));
  const left = lines.map((line) => ({ ...line, owed: line.owed - (paidOf.get(line.lineId) ?? 0) }));
  const after = allot(left, money[second]);
  return first === "deposit" ? { deposit: before, prepaid: after } : { deposit: after, prepaid: before };
}

/** What is open of the wanted lines, in the order of set-off; one bill may come after all others. */
export const owedLines = (bills: readonly Bill[], wanted: (line: Line) => boolean, lastId?: number) =>
  inSetOffOrder(
    bills.flatMap((bill) =>
      bill.lines
        .filter((l) => wanted(l) && l.outstanding > 0)
        .map((l) => ({
          billId: bill.id,
          lineId: l.id,
          dueDate: bill.dueDate,
          owed: l.outstanding,
          lateFee: l.kind === "lateFee",
          priority: bill.id === lastId ? 1 : 0,
        })),
    ),
  );

/** Which of the wanted lines an amount pays, in the order of set-off, and the bills they stand on. */
export function allotted(
  bills: readonly Bill[],
  money: Fen,
  wanted: (line: Line) => boolean,
): { paying: Paying[]; rest: Fen; touched: Bill[] } {
  const { paying, rest } = allot(owedLines(bills, wanted), money);
  const paid = new Set(paying.map((p) => p.billId));
  return { paying, rest, touched: bills.filter((b) => paid.has(b.id)) };
}
