import type { Day } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { invalid } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { NewBill } from "../../finance/bill/make.rules.ts";
import { subjectsFor } from "../../finance/subject/subject.service.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { shareOf } from "../signing/bills.rules.ts";
import { type LineKind, type SettleLine, isSettled, workedOut } from "./settlement.rules.ts";

/** What is charged with a leaving beside what follows from the contract, as a clerk has written it down. */
export type Charge = {
  kind: LineKind;
  feeId: number;
  title: string;
  quantity?: string | null | undefined;
  price?: Fen | null | undefined;
  amount: Fen;
  clause: string;
  note: string;
};

/** Refuses an amount that is not quantity × price, and a subject that no deduction may be for. */
export async function checkCharges(read: Read, villageId: number, charges: readonly Charge[]): Promise<void> {
  const subjects = await subjectsFor(read, [villageId]);
  for (const [i, { feeId, quantity, price, amount }] of charges.entries()) {
    if (quantity && price && workedOut(quantity, price) !== amount)
      throw invalid({ field: `charges.${i}.amount`, msg: "金额应等于数量 × 单价" });
    const { kind, name } = subjects.find(villageId, feeId);
    if (!isSettled(kind))
      throw invalid({ field: `charges.${i}.feeId`, msg: `${name}不能作为退房扣款的科目` });
  }
}

/** The charges as lines of what a leaving comes to. */
export const chargeLines = (charges: readonly Charge[]): SettleLine[] =>
  charges.map(({ kind, amount, title, clause, quantity, price, note }) => ({
    kind,
    amount: -amount,
    title,
    clause,
    formula: [quantity && price ? `${quantity} × ${yuan(price)}` : "", note].filter(Boolean).join("，"),
  }));

type Billed = { subject: number | string; amount: Fen; reason: string };
const BILLED: readonly LineKind[] = ["utility", "damage", "cleaning", "other", "penalty"];
/** In the order in which they are paid, whatever order they were typed in. */
export const billedCharges = (charges: readonly Charge[]): Billed[] =>
  charges
    .toSorted((a, b) => BILLED.indexOf(a.kind) - BILLED.indexOf(b.kind))
    .map(({ feeId, amount, title }) => ({ subject: feeId, amount, reason: title }));

/** The bill of what a leaving charges, in the order of its lines; nothing where it charges nothing. */
export function chargeBill(
  { id: contractId, villageId, partyId, rooms, terms }: ContractRecord,
  charged: readonly Billed[],
  how: { title: string; dueDate: Day; remark: string; roomId?: number },
): NewBill | null {
  const all = charged.filter((l) => l.amount > 0);
  if (!all.length) return null;
  const { roomId = rooms[0]!.roomId, ...of } = how;
  return {
    ...of,
    villageId,
    roomId,
    contractId,
    partyId: partyId!,
    periodStart: null,
    periodEnd: null,
    source: "settlement",
    graceDays: terms.graceDays,
    lateFeeRate: shareOf(terms.lateFeeDailyRate),
    lateFeeCap: shareOf(terms.lateFeeCapPercent),
    lines: all.map(({ subject, amount, reason }) => ({
      subject,
      roomId,
      amount,
      periodStart: null,
      periodEnd: null,
      slices: [],
      explain: { rule: "manual", quantity: "1", price: amount },
      reason,
    })),
  };
}
