import { type Day, addDays, daysBetween, maxDay, minDay } from "../../../platform/kernel/day.ts";
import { type Fen, type Ratio, halfUp, plus, ratio, times, yuan } from "../../../platform/kernel/fen.ts";
import type { ContractMonth } from "../schedule/months.rules.ts";

/** Somebody in a room, both days included; `to` is open while he stays. */
export type Lived = { id: number; roomId: number; from: Day; to: Day | null };
type LetRoom = { roomId: number; joinDate?: Day | null; leaveDate?: Day | null };
type Fee = { feeId: number; amount: Fen; fromDate?: Day | null; toDate?: Day | null };

/** How many days he shared the room with how many, himself included. */
export type Shared = { people: number; days: number };
export type OccupantShare = {
  stayId: number;
  roomId: number;
  feeId: number;
  /** His first and last day of the month there. */
  from: Day;
  to: Day;
  amount: Fen;
  explain: {
    rule: "occupantShare";
    /** A month of the room, and its days. */
    price: Fen;
    monthDays: number;
    shared: Shared[];
    /** What those before him come to exactly: the room's sum is rounded on the running total. */
    before: { n: string; d: string };
  };
};

const exactly = (price: Fen, monthDays: number, shared: readonly Shared[]): Ratio =>
  times(
    ratio(price, monthDays),
    shared.reduce((sum, { people, days }) => plus(sum, ratio(days, people)), ratio(0)),
  );
const rounded = (before: Ratio, own: Ratio): Fen => halfUp(plus(before, own)) - halfUp(before);

/**
 * What the occupants of a contract's rooms pay for one month: each day of a room is shared by who lives there on it, and nobody pays a
 * day on which nobody does. The parts of a room and fee add up to what its days cost.
 */
export function occupantShares(
  { from, to, monthDays }: Pick<ContractMonth, "from" | "to" | "monthDays">,
  rooms: readonly LetRoom[],
  fees: readonly Fee[],
  stays: readonly Lived[],
): OccupantShare[] {
  return rooms.flatMap(({ roomId, joinDate, leaveDate }) => {
    const living = stays.filter((s) => s.roomId === roomId).toSorted((a, b) => a.id - b.id);
    return fees.flatMap((fee) => {
      const first = maxDay(maxDay(from, joinDate ?? from), fee.fromDate ?? from);
      const last = minDay(minDay(to, leaveDate ?? to), fee.toDate ?? to);
      let before = ratio(0);
      return living.flatMap((stay): OccupantShare[] => {
        const begin = maxDay(first, stay.from);
        const end = minDay(last, stay.to ?? last);
        if (begin > end) return [];
        const shared = sharedDays(living, begin, end);
        const own = exactly(fee.amount, monthDays, shared);
        const amount = rounded(before, own);
        const explain = {
          rule: "occupantShare" as const,
          price: fee.amount,
          monthDays,
          shared,
          before: { n: String(before.n), d: String(before.d) },
        };
        before = plus(before, own);
        return [{ stayId: stay.id, roomId, feeId: fee.feeId, from: begin, to: end, amount, explain }];
      });
    });
  });
}

/** The days of a stretch by how many live there, the fewest first. */
function sharedDays(living: readonly Lived[], from: Day, to: Day): Shared[] {
  const days = new Map<number, number>();
  for (let day = from; day <= to; day = addDays(day, 1)) {
    const people = living.filter((s) => s.from <= day && (s.to === null || s.to >= day)).length;
    days.set(people, (days.get(people) ?? 0) + 1);
  }
  return [...days].toSorted(([a], [b]) => a - b).map(([people, n]) => ({ people, days: n }));
}

/** The months of a contract that are over by today and not billed yet, the last one cut at the end of the lease. */
export const monthsOver = (
  months: readonly ContractMonth[],
  last: Day,
  today: Day,
  billed: ReadonlySet<Day>,
): ContractMonth[] =>
  months.flatMap((month) => {
    if (month.from > last || billed.has(month.from)) return [];
    const to = minDay(month.to, last);
    return to < today ? [{ ...month, to, days: daysBetween(month.from, to) + 1 }] : [];
  });

/** 100.00 × (10 ÷ 1 + 21 ÷ 2) ÷ 31, and what that is. */
export function shareSentence({ price, monthDays, shared, before }: OccupantShare["explain"]): {
  formula: string;
  amount: Fen;
} {
  const parts = shared.map(({ people, days }) => `${days} ÷ ${people}`);
  const amount = rounded({ n: BigInt(before.n), d: BigInt(before.d) }, exactly(price, monthDays, shared));
  const sum = parts.length > 1 ? `(${parts.join(" + ")})` : parts[0]!;
  return { formula: `${yuan(price)} × ${sum} ÷ ${monthDays} = ${yuan(amount)}`, amount };
}
