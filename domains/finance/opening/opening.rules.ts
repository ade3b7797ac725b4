import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { OPENING } from "../bill/posting.rules.ts";
import { credit, debit, type Entry } from "../journal/journal.rules.ts";

/** A bill of before the take-over that is not paid whole. */
export type OpenBill = {
  /** A code such as 'rent', or the id of a fee subject. */
  subject: string | number;
  /** Where it is not that of its contract. */
  roomId?: number;
  title: string;
  /** The days it was for, where they are known. */
  from: Day | null;
  to: Day | null;
  dueDate: Day;
  /** What is still owed of it, and what was paid before the take-over. */
  amount: Fen;
  paid: Fen;
  remark: string;
};

/** What a running contract had when the business was taken over; every amount ≥ 0. */
export type Opening = {
  contractId: number;
  villageId: number;
  partyId: number;
  roomId: number;
  deposit: Fen;
  owed: readonly OpenBill[];
  prepaid: Fen;
  graceDays: number;
  lateFeeRate: string;
  lateFeeCap: string;
};

/** E30 of a contract: deposit held and prepaid money, owed to the tenant from the first day. Nothing held, no entry. */
export function heldEntry(
  o: Pick<Opening, "contractId" | "villageId" | "partyId" | "deposit" | "prepaid">,
  takenOn: Day,
): Entry[] {
  const { contractId, villageId, partyId } = o;
  const dims = { contractId, partyId };
  const against = (account: string, amount: Fen) => [
    debit(OPENING, villageId, amount, dims),
    credit(account, villageId, amount, dims),
  ];
  const legs = [
    ...(o.deposit > 0 ? against("2241", o.deposit) : []),
    ...(o.prepaid > 0 ? against("2203", o.prepaid) : []),
  ];
  return legs.length
    ? [{ event: "E30", sourceType: "contract", sourceId: contractId, businessDate: takenOn, legs }]
    : [];
}
