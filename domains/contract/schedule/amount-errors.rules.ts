import { AMOUNT_MAX, type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { isBillable } from "../../finance/bill/make.rules.ts";
import { planBills } from "./bills.rules.ts";
import type { PlannedBill } from "./line.rules.ts";
import { monthTable } from "./months.rules.ts";
import { roomPrices } from "./steps.rules.ts";
import type { ScheduleInput } from "./terms.rules.ts";

/** Fields are named by their place in the input: steps.1.fromDate. */
export type Report = (field: string, msg: string) => void;

export const within = (n: number | undefined, low: number, high: number): boolean =>
  n === undefined || (Number.isInteger(n) && n >= low && n <= high);

/** What is wrong with a sum, or nothing. */
export function sumError(sum: Fen, mayBeZero = false): string | undefined {
  if (!Number.isSafeInteger(sum)) return "请输入正确的金额（最多两位小数）";
  if (sum < 0 || (sum === 0 && !mayBeZero)) return "金额必须大于0";
  return sum > AMOUNT_MAX ? "金额过大" : undefined;
}

type MaybeRoom = { roomId?: number | null };
/** Rows of one room meet; a row for all rooms meets those of every room. */
export const sameRoom = (a: MaybeRoom, b: MaybeRoom): boolean =>
  a.roomId == null || b.roomId == null || a.roomId === b.roomId;

/** What no bill of the contract can exceed: enough to see at once that an ordinary one is far from the bound. */
function mostOfABill(input: ScheduleInput): Fen {
  // a bill holds the whole term or a year at most, and the deposit is twelve months at most or a sum
  const months = Math.max(monthTable(input).from.length, 12);
  const rents = input.rooms.map((room) => Math.max(...roomPrices(input, room).map((p) => p.price)));
  const fees = input.fees.map((fee) => fee.amount);
  const held = input.deposit.mode === "amount" ? input.deposit.amount : 0;
  const perRoom = input.rooms.map((room) => room.depositAmount ?? 0);
  const sum = (all: readonly Fen[]) => all.reduce((total, fen) => total + fen, 0);
  return sum([...rents, ...fees]) * months + sum([held, ...perRoom]);
}

/** The field whose change makes a bill smaller. */
function fieldOf(input: ScheduleInput, { kind, lines }: PlannedBill): string {
  const most = lines.reduce((a, b) => (b.amount > a.amount ? b : a));
  if (most.item !== null && most.kind !== "discount") return `fees.${most.item}.amount`;
  if (kind !== "deposit") return "cycleMonths";
  return input.deposit.mode === "amount" ? "deposit.amount" : "deposit.months";
}

/** No line and no bill beyond what the books take. Asked when everything else is right. */
export function amountErrors(input: ScheduleInput, report: Report): void {
  if (mostOfABill(input) <= AMOUNT_MAX) return;
  const said = new Set<string>();
  for (const bill of planBills(input).bills) {
    const amounts = bill.lines.map((line) => line.amount);
    const field = fieldOf(input, bill);
    if (isBillable(amounts) || said.has(field)) continue;
    said.add(field);
    const how = field === "cycleMonths" ? "请缩短付款周期或分开签约" : "请调小金额";
    const charged = amounts.reduce((sum, fen) => sum + Math.max(fen, 0), 0);
    report(
      field,
      `账单“${bill.title}”为 ${yuan(charged)} 元，一张账单不得超过 ${yuan(AMOUNT_MAX)} 元，${how}`,
    );
  }
}
