import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { type Want, allot, keyOf } from "../allocation/allocation.rules.ts";
import type { OpenLine } from "../payer/payer.contract.ts";

export type OpenBill = { id: number; roomName: string | null; contractNo: string | null; disputed: boolean };

/** One bill with what is still to be paid of it. */
export type Owed = OpenBill & {
  billNo: string;
  title: string;
  dueDate: Day;
  issued: boolean;
  lines: OpenLine[];
  owed: Fen;
};

/** Lines by bill, the oldest bill first. */
export function owedBills(lines: readonly OpenLine[], bills: readonly OpenBill[]): Owed[] {
  const byBill = Map.groupBy(lines, (line) => line.billId);
  return bills
    .flatMap((bill) => {
      const own = byBill.get(bill.id) ?? [];
      const [first] = own;
      if (!first) return [];
      const { billNo, title, dueDate, issued } = first;
      const owed = own.reduce((sum, line) => sum + line.owed, 0);
      return [{ ...bill, billNo, title, dueDate, issued, lines: own, owed }];
    })
    .toSorted((a, b) => (a.dueDate < b.dueDate ? -1 : a.dueDate > b.dueDate ? 1 : a.id - b.id));
}

/** Which lines are paid, and with how much where somebody typed it. */
export type Choice = { chosen: ReadonlySet<string>; amounts: ReadonlyMap<string, Fen> };
export const NOTHING: Choice = { chosen: new Set(), amounts: new Map() };

/** What is chosen before anybody has: the bills that were asked for, else all that is due and not disputed. */
export function firstChoice(bills: readonly Owed[], asOf: Day, asked: readonly number[]): Choice {
  const wanted = bills.filter((b) =>
    asked.length ? asked.includes(b.id) : b.dueDate <= asOf && !b.disputed,
  );
  return { chosen: new Set(wanted.flatMap((b) => b.lines.map(keyOf))), amounts: new Map() };
}

/** Adds or removes lines; a typed amount goes with its line. */
export function toggled(choice: Choice, lines: readonly OpenLine[], on: boolean): Choice {
  const chosen = new Set(choice.chosen);
  const amounts = new Map(choice.amounts);
  for (const key of lines.map(keyOf)) {
    if (on) chosen.add(key);
    else {
      chosen.delete(key);
      amounts.delete(key);
    }
  }
  return { chosen, amounts };
}

/** Sets how much of a line is paid; undefined lets the rule decide again. */
export function typed(choice: Choice, line: OpenLine, amount: Fen | undefined): Choice {
  const key = keyOf(line);
  const amounts = new Map(choice.amounts);
  if (amount === undefined) amounts.delete(key);
  else amounts.set(key, amount);
  return { chosen: new Set(choice.chosen).add(key), amounts };
}

/** What the choice asks for: chosen lines that are still there. */
export const wantsOf = (bills: readonly Owed[], { chosen, amounts }: Choice): Want[] =>
  bills
    .flatMap((b) => b.lines)
    .filter((line) => chosen.has(keyOf(line)))
    .map((line) => {
      const amount = amounts.get(keyOf(line));
      const want = { billId: line.billId, lineId: line.lineId };
      return amount === undefined ? want : { ...want, amount };
    });

/** What the chosen lines come to: what was typed, else all that is owed. */
export const comesTo = (bills: readonly Owed[], { chosen, amounts }: Choice): Fen =>
  bills
    .flatMap((b) => b.lines)
    .filter((line) => chosen.has(keyOf(line)))
    .reduce((sum, line) => sum + (amounts.get(keyOf(line)) ?? line.owed), 0);

/** What money does for the chosen lines: what was typed, and the others in the rule's order as far as the rest goes. */
export function laidOn(lines: readonly OpenLine[], bills: readonly Owed[], choice: Choice, money: Fen) {
  const asked = new Map(wantsOf(bills, choice).map((w) => [keyOf(w), w.amount]));
  const given = [...asked.values()].reduce<Fen>((sum, amount) => sum + (amount ?? 0), 0);
  const free = lines.filter((l) => asked.has(keyOf(l)) && asked.get(keyOf(l)) === undefined);
  const { paying } = allot(
    free.map((line) => ({ ...line, priority: 0 })),
    Math.max(0, money - given),
  );
  const pays = new Map(paying.map((p) => [keyOf(p), p.amount]));
  for (const [at, amount] of asked) if (amount !== undefined) pays.set(at, amount);
  const wants = lines.flatMap((line) => {
    const amount = pays.get(keyOf(line)) ?? 0;
    return amount === 0 ? [] : [{ billId: line.billId, lineId: line.lineId, amount }];
  });
  const above = lines.some((line) => (pays.get(keyOf(line)) ?? 0) > line.owed);
  return { pays, wants, total: wants.reduce((sum, want) => sum + want.amount, 0), above };
}

/** Why what was laid out cannot be done, or nothing. */
export const whyNotLaid = (
  { wants, total, above }: Pick<ReturnType<typeof laidOn>, "wants" | "total" | "above">,
  money: Fen,
  tooMuch: string,
): string | undefined =>
  wants.some((w) => !Number.isSafeInteger(w.amount))
    ? "请输入正确的金额（最多两位小数）"
    : total > money
      ? tooMuch
      : above
        ? "超过该费用的未收金额"
        : undefined;
