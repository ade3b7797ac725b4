import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Payable, Paying } from "./allocation.rules.ts";

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
