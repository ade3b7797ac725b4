import type { Act } from "../../../platform/server/pipeline/act.ts";

/**
 * Whoever holds earnest money hears what becomes of its refund, in the same transaction. Refusing in `begun` refuses the
 * application.
 */
export type EarnestOwner = {
  begun: (
    act: Act,
    of: { billId: number; refundId: number; refundNo: string; reason: string; amount: number },
  ) => Promise<void>;
  paid: (act: Act, refundId: number) => Promise<void>;
  /** The bank has sent it back: it is owed again. */
  returned: (act: Act, refundId: number, reason: string) => Promise<void>;
  /** It was rejected or cancelled: the money is held again. */
  dropped: (act: Act, refundId: number, reason: string) => Promise<void>;
};

let owner: EarnestOwner | undefined;

/** Registers who holds earnest money; called once, by the domain that does. */
export const ownsEarnest = (by: EarnestOwner): void => void (owner = by);

export function earnestOwner(): EarnestOwner {
  if (!owner) throw new Error("nobody owns earnest money");
  return owner;
}
