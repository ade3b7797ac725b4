import type { Day } from "../../../platform/kernel/day.ts";
import { yuan, type Fen } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { type Bill, type Line, taxOf, taxOfChange } from "../bill/bill.rules.ts";
import { insertLines } from "../bill/adjust.service.ts";
import { keepSums } from "../bill/void.service.ts";
import type { LineRow } from "../bill/make.rules.ts";
import { lineEntry } from "../bill/posting.rules.ts";
import { post } from "../journal/journal.service.ts";
import type { Around } from "../bill/bills.queries.ts";
import { lateFeesOf, type BillLateFee } from "./latefee.service.ts";

/**
 * Writes what the late fee has grown by (or fallen by, when money came earlier than it was recorded) as a line of its
 * bill, up to a day (E03). The bills are locked and issued. Answers the new line of each bill; doing it twice adds
 * nothing. A fall never takes more than what is unpaid of the fee.
 */
export async function freezeLateFees(
  act: Act,
  bills: readonly Bill[],
  until: Day,
  around: Around,
  { fallsOnly = false } = {},
): Promise<Map<number, Line>> {
  const fees = await lateFeesOf(act, bills, until, around);
  const due = bills.flatMap((bill) => {
    const fee = fees.get(bill.id);
    const amount = fee ? freezable(bill, fee, around.settings(bill.villageId).lateFeeMin) : 0;
    return fee && amount && !(fallsOnly && amount > 0) ? [{ bill, fee, amount }] : [];
  });
  if (!due.length) return new Map();
  const ids = await nextIds(act, "bill_line", due.length);
  const made = due.map(({ bill, fee, amount }, i) => ({
    bill,
    ...lineFor(bill, fee, amount, ids[i]!, around),
  }));
  await insertLines(
    act,
    made.map((m) => m.row),
  );
  await keepSums(
    act,
    made.flatMap(({ row, bearer }) =>
      bearer ? [{ billId: row.billId, lineId: bearer.id, adjusted: row.amount }] : [],
    ),
    made.map(({ row }) => ({ billId: row.billId, amount: row.amount, subjectId: row.feeSubjectId })),
  );
  await post(
    act,
    made.map(({ bill, row }) => lineEntry("E03", bill, row, "lateFee", act.today)),
  );
  for (const { bill, row, bearer, line } of made) {
    if (bearer) bearer.adjusted += row.amount;
    if (bearer) bearer.outstanding += row.amount;
    bill.lines.push(line);
    bill.amount += row.amount;
    bill.outstanding += row.amount;
  }
  return new Map(made.map(({ bill, line }) => [bill.id, line]));
}

/** What can be written now: small growth waits, a fall stops at what is still unpaid of one fee line. */
export function freezable(bill: Bill, fee: BillLateFee, least: Fen): Fen {
  if (fee.expected >= 0) return fee.expected > 0 && fee.expected >= least ? fee.expected : 0;
  const line = openFee(bill);
  return line ? Math.max(fee.expected, -line.outstanding) : 0;
}

/** The line of a bill that bears a fall: the one with most left to pay. */
export const openFee = (bill: Bill): Line | undefined =>
  bill.lines
    .filter((l) => l.kind === "lateFee" && l.outstanding > 0)
    .toSorted((a, b) => b.outstanding - a.outstanding)[0];

function lineFor(bill: Bill, fee: BillLateFee, amount: Fen, id: number, { subjects }: Around) {
  const subject = subjects.late(bill.villageId);
  const { taxMode, taxRate } = subject;
  const bearer = amount < 0 ? openFee(bill) : undefined;
  const row: LineRow = {
    id,
    billId: bill.id,
    feeSubjectId: subject.id,
    kind: "lateFee",
    roomId: bill.roomId,
    amount,
    taxMode,
    taxRate,
    tax: bearer
      ? taxOfChange(bearer.amount + bearer.adjusted, amount, bearer)
      : taxOf(amount, { taxMode, taxRate }),
    periodStart: fee.segments[0]?.from ?? null,
    periodEnd: fee.segments.at(-1)?.to ?? null,
    slices: [],
    explain: {
      rule: "lateFee",
      segments: fee.segments,
      total: fee.total,
      before: fee.frozen,
      cap: bill.lateFeeCap,
      principal: fee.segments[0]?.principal ?? 0,
    },
    adjustsLineId: bearer?.id ?? null,
    reason: amount < 0 ? `到账日更早，滞纳金减少 ${yuan(-amount)}` : "",
    adjusted: 0,
  };
  const line: Line = {
    ...row,
    settled: 0,
    writtenOff: 0,
    invoiced: 0,
    outstanding: Math.max(amount, 0),
  };
  return { row, line, bearer };
}

/** After money that came earlier than a fee was written: brings unpaid fee lines down to what the fee is now. */
export async function correctLateFees(
  act: Act,
  bills: readonly Bill[],
  paidOn: Day,
  around: Around,
): Promise<void> {
  await freezeLateFees(act, bills, paidOn, around, { fallsOnly: true });
}
