import type { Day } from "../../../platform/kernel/day.ts";
import { halfUp, over, decimal, ratio, times } from "../../../platform/kernel/fen.ts";
import type { NewBill, NewLine } from "../../finance/bill/make.rules.ts";
import { dueOn } from "../schedule/slot.rules.ts";
import type { Line, Plan } from "../schedule/line.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";

/** Percent as a share, in exact decimal text: "0.05" → "0.000500". */
export function shareOf(percent: string | number): string {
  const millionths = halfUp(times(over(decimal(String(percent)), ratio(100)), ratio(1_000_000)));
  return `${Math.floor(millionths / 1_000_000)}.${String(millionths % 1_000_000).padStart(6, "0")}`;
}

export type Billed = {
  id: number;
  villageId: number;
  partyId: number;
  /** The room that stands on bills that belong to no single room. */
  mainRoomId: number;
  terms: Pick<Terms, "discounts" | "due" | "graceDays" | "lateFeeDailyRate" | "lateFeeCapPercent">;
};

const newLine = (line: Line, discounts: Terms["discounts"]): NewLine => ({
  subject: line.feeKey,
  roomId: line.roomId,
  amount: line.amount,
  kind: line.kind === "discount" ? "adjust" : "normal",
  periodStart: line.from,
  periodEnd: line.to,
  slices: line.slices,
  explain: line.explain,
  ...(line.kind === "discount" && { reason: discounts?.[line.item!]?.name ?? "签约优惠" }),
});

/** The bills that signing makes, bill for bill and line for line what the plan says. */
export function newBills(contract: Billed, plan: Plan, signedOn: Day): NewBill[] {
  const { terms } = contract;
  return plan.bills.map((bill) => ({
    villageId: contract.villageId,
    roomId: bill.roomId ?? contract.mainRoomId,
    contractId: contract.id,
    partyId: contract.partyId,
    title: bill.title.slice(0, 60),
    dueDate: dueOn(bill, signedOn, terms.due.firstDueDays ?? 0),
    periodStart: bill.periodStart,
    periodEnd: bill.periodEnd,
    source: "schedule",
    graceDays: terms.graceDays,
    lateFeeRate: shareOf(terms.lateFeeDailyRate),
    lateFeeCap: shareOf(terms.lateFeeCapPercent),
    lines: bill.lines.map((line) => newLine(line, terms.discounts)),
  }));
}
