import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { lessCarried, titleOf } from "../schedule/bills.rules.ts";
import type { Line, Plan, PlannedBill } from "../schedule/line.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { LetRoom } from "../terms/terms.rules.ts";

/** A room with what the contract has copied of it. */
export type HeldRoom = LetRoom & {
  name: string;
  kind: string;
  role: "main" | "attached";
  capacity: number;
  listPrice: Fen | null;
  lowestPrice: Fen | null;
};

/** A contract as an act leaves it. */
export type Changed = { terms: Terms; rooms: HeldRoom[]; end: Day };

/** What changes, and from which day on. */
export type Change = {
  next: Changed;
  from: Day;
  /** Rooms that join: what they cost in the period they join in is a bill of its own, due on signing. */
  joining?: readonly number[];
  /** What each of them gives as a deposit, where the contract's is a sum. */
  deposits?: readonly { roomId: number; amount: Fen }[];
  /** So much of it is held already, for rooms that are given back the day before. */
  carried?: Fen;
  /** Bills follow new due days and late-fee terms. */
  retermed?: boolean;
};

export const sum = (of: readonly { amount: Fen }[]): Fen => of.reduce((total, one) => total + one.amount, 0);

/** The bills that rooms join in the middle of, parted: what was there before, and what they cost themselves. */
export function parted(
  bills: readonly PlannedBill[],
  joining: ReadonlySet<number>,
  from: Day,
  input: Pick<ScheduleInput, "fees">,
): PlannedBill[] {
  return bills.flatMap((bill) => {
    const lines = bill.lines.filter((l) => l.roomId !== null && joining.has(l.roomId));
    if (bill.periodStart > from || !lines.length) return [bill];
    const own = new Set(lines);
    const rest = bill.lines.filter((l) => !own.has(l));
    const apart = {
      ...bill,
      key: `${bill.key}:joined`,
      title: `加房${titleOf(input, { ...bill, lines })}`,
      periodStart: from,
      onSigning: true,
      lines,
      amount: sum(lines),
    };
    const before = {
      ...bill,
      title: titleOf(input, { ...bill, lines: rest }),
      lines: rest,
      amount: sum(rest),
    };
    return rest.length ? [before, apart] : [apart];
  });
}

/** The deposit of rooms that join, as a bill due on signing. */
export function joinedDeposit(
  plan: Plan,
  { next, from, deposits = [], carried = 0 }: Change,
  joining: ReadonlySet<number>,
  termsVersion: number,
): PlannedBill[] {
  const planned = plan.bills
    .filter((b) => b.kind === "deposit")
    .flatMap((b) => b.lines.filter((l) => l.roomId !== null && joining.has(l.roomId)));
  const given = deposits
    .filter((d) => d.amount > 0)
    .map(({ roomId, amount }): Line => {
      const why = { rule: "depositAmount", rounding: "none", formula: "约定金额" } as const;
      return {
        kind: "deposit",
        feeKey: "deposit",
        roomId,
        item: null,
        periodNo: 0,
        from,
        to: next.end,
        amount,
        slices: [],
        explain: { ...why, termsVersion, price: amount },
      };
    });
  const lines = lessCarried(planned.length ? planned : given, carried);
  if (!lines.length) return [];
  return [
    {
      key: "deposit:joined",
      kind: "deposit",
      periodNo: 0,
      title: "加房押金",
      roomId: null,
      periodStart: from,
      periodEnd: next.end,
      dueRuleDate: null,
      onSigning: true,
      amount: sum(lines),
      lines,
    },
  ];
}
