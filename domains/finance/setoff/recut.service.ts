import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import type { Paying } from "../allocation/allocation.rules.ts";
import { freezesOnPayment } from "../allocation/plan.service.ts";
import { adjustLines } from "../bill-acts/adjust.service.ts";
import { issueBills } from "../bill-acts/change.service.ts";
import type { Bill, Line } from "../bill/bill.rules.ts";
import { type NewBill, makeBills, voidBills } from "../bill/bill.service.ts";
import { type Around, lockBills } from "../bill/bills.queries.ts";
import { keepAround } from "../bill/keep.service.ts";
import { billPaid } from "../flow/flow.contract.ts";
import { freezeLateFees } from "../latefee/latefee.service.ts";
import { payByDeposit } from "./deposit.service.ts";
import { type LineCut, afterCut, allotted, cutLines } from "./setoff.rules.ts";
import { type Closing, type Standing, type Trace, isCharged, payByPrepaid } from "./setoff.service.ts";
import { freeCredits } from "./release.service.ts";

export type Recut = {
  /** Bills that nobody paid and that are written anew or not at all. */
  voided: readonly number[];
  cuts: readonly LineCut[];
  made: readonly NewBill[];
  /** So much of the deposit holds nothing any more: it pays what is due, the rest is given back. */
  deposit: Fen;
  /** What does it, as its bills carry it. */
  actId: number;
  reason: string;
};

/**
 * Brings the bills of a running contract to a new plan, under the locks of `lockStanding`: bills are voided (E05) and made
 * (E01), lines corrected (E04), what was paid of them too much goes back (E09, or E14 where the deposit paid it) and pays the next open bills; deposit that
 * is free pays what is due by today (E14). Answers what was credited, and what is left of the deposit.
 */
export async function recutAccount(
  act: Act,
  of: Closing,
  { bills, around, setOff: paidBefore }: Standing,
  how: Recut,
): Promise<{ credit: Fen; deposit: Fen; trace: Trace }> {
  const { subjects } = around;
  const { reason } = how;
  const cut = cutLines(bills, how.cuts).filter((c) => c.after !== c.before || c.credit > 0);
  const credit = cut.reduce((sum, c) => sum + c.credit, 0);
  const freed = await freeCredits(act, of, { bills, around, setOff: paidBefore }, cut);
  await voidBills(act, how.voided, reason);
  const told = new Map(how.cuts.map((c) => [c.lineId, c]));
  const trimmed = cut.map((c) => ({ lineId: c.line.id, amount: c.after - c.before }));
  await adjustLines(
    act,
    trimmed.map((t) => {
      const { slices, explain } = told.get(t.lineId)!;
      return { ...t, kind: "trim" as const, reason, explain, ...(slices && { slices }) };
    }),
  );
  const setOff: number[] = [];
  const made = await makeBills(
    act,
    how.made.map((bill) => ({ ...bill, sourceId: how.actId })),
  );
  const gone = new Set(how.voided);
  let left = await lockBills(act, [
    ...bills.filter((b) => !gone.has(b.id)).map((b) => b.id),
    ...made.map((m) => m.id),
  ]);
  const late: number[] = [];
  const setOffBy = async (money: Fen, wanted: (bill: Bill) => boolean, pay: Pay): Promise<Fen> => {
    if (money <= 0) return 0;
    const { paying, rest, touched } = allotted(left.filter(wanted), money, isCharge(around));
    if (!touched.length) return rest;
    await issueBills(act, touched, subjects);
    const freezing = touched.filter((b) => freezesOnPayment(b.villageId, around));
    // a correction of late fee that stood before is none of this act's: it follows from the days
    for (const line of (await freezeLateFees(act, freezing, act.today, around)).values())
      if (line.amount > 0) late.push(line.id);
    setOff.push(...(await pay(touched, paying)));
    const paid = new Map(
      (
        await lockBills(
          act,
          touched.map((b) => b.id),
        )
      ).map((b) => [b.id, b]),
    );
    left = left.map((bill) => paid.get(bill.id) ?? bill);
    await act.emit(billPaid, { billIds: touched.map((b) => b.id), contractIds: [of.contractId] });
    return rest;
  };
  const due = (bill: Bill) => bill.dueDate <= act.today;
  const deposit = await setOffBy(how.deposit, due, (on, paying) =>
    payByDeposit(act, of, on, paying, act.today),
  );
  const all = () => true;
  await setOffBy(freed.held, all, (on, paying) => payByDeposit(act, of, on, paying, act.today));
  await setOffBy(credit - freed.held, all, (on, paying) =>
    payByPrepaid(act, of, on, paying, around, act.today),
  );
  await keepAround(act, left);
  return {
    credit,
    deposit,
    trace: {
      ...freed.trace,
      trimmed,
      voided: [...gone],
      late,
      setOff,
      billId: null,
      madeBy: how.actId,
    },
  };
}

type Pay = (bills: readonly Bill[], paying: readonly Paying[]) => Promise<number[]>;

/** Late fee is left to be paid: it grows with the day. So is a deposit: out of what is held none can be given. */
const isCharge = (around: Around) => {
  const charged = isCharged(around);
  return (line: Line): boolean => charged(line) && line.kind === "normal";
};

/** What is open of charges by a day once lines are cut and bills voided: freed deposit pays it before any of it is given back. */
export const dueAfter = (
  { bills, around }: Pick<Standing, "bills" | "around">,
  { voided, cuts }: Pick<Recut, "voided" | "cuts">,
  day: Day,
): Fen =>
  afterCut(
    bills.filter((b) => !voided.includes(b.id) && b.dueDate <= day),
    cutLines(bills, cuts),
  )
    .flatMap((b) => b.lines.filter(isCharge(around)))
    .reduce((sum, l) => sum + Math.max(0, l.outstanding), 0);
