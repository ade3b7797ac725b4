import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import {
  type Bill,
  type Line,
  type SliceOf,
  isPayable,
  layOn,
  netOf,
  slicesOf,
  whyNotAdjust,
} from "../bill/bill.rules.ts";
import { lockBills } from "../bill/bills.queries.ts";
import { insertLines, keepAround, keepSums } from "../bill/keep.service.ts";
import type { LineRow } from "../bill/make.rules.ts";
import { lineEntry } from "../bill/posting.rules.ts";
import { post } from "../journal/journal.service.ts";
import { subjectsFor } from "../subject/subject.service.ts";

export type Adjustment = {
  lineId: number;
  /** Fen; negative lowers. */
  amount: Fen;
  reason: string;
  /** 'trim' is the shortening of a contract; it may also lower a bill that is paid, once its payment was taken back. */
  kind?: "adjust" | "trim";
  /** Without them the correction is spread over the line's months in proportion. */
  slices?: SliceOf[];
  explain?: object;
};

/**
 * Lays corrections on bill lines (E04, of a cost E25, where the bill is issued). Refused when a line would fall below what is paid.
 * Answers the ids of the correction lines in the order asked.
 */
export async function adjustLines(act: Act, adjustments: readonly Adjustment[]): Promise<number[]> {
  if (!adjustments.length) return [];
  const owners = await act.tx
    .selectFrom("billLine")
    .select("billId")
    .distinct()
    .where("id", "in", [...new Set(adjustments.map((a) => a.lineId))])
    .execute();
  const bills = await lockBills(
    act,
    owners.map((o) => o.billId),
  );
  const subjects = await subjectsFor(
    act,
    bills.map((b) => b.villageId),
  );
  const ids = await nextIds(act, "bill_line", adjustments.length);
  const rows = adjustments.map((adjustment, i) => correction(bills, adjustment, ids[i]!));
  await insertLines(
    act,
    rows.map((r) => r.row),
  );
  await keepSums(
    act,
    rows.map(({ line, row }) => ({ billId: row.billId, lineId: line.id, adjusted: row.amount })),
    rows.map(({ row }) => ({ billId: row.billId, adjusted: row.amount })),
  );
  await post(
    act,
    rows
      .filter(({ bill }) => bill.issuedAt)
      .map(({ bill, row }) => lineEntry("E04", bill, row, subjects.of(row.feeSubjectId).kind, act.today)),
  );
  await keepAround(act, bills);
  return ids;
}

function correction(
  bills: readonly Bill[],
  adjustment: Adjustment,
  id: number,
): { bill: Bill; line: Line; row: LineRow } {
  const found = bills.flatMap((b) => b.lines.map((line) => ({ bill: b, line })));
  const hit = found.find(({ line }) => line.id === adjustment.lineId && isPayable(line));
  if (!hit) throw notFound();
  const { bill, line } = hit;
  const { amount, kind = "adjust" } = adjustment;
  const why = kind === "adjust" ? whyNotAdjust(bill) : bill.voidedAt && "账单已作废，不能调整";
  if (why) throw new Refusal("notAllowed", why);
  const bearer = { ...line, net: netOf(line), taken: line.settled + line.writtenOff };
  const laid = layOn([bearer], amount)?.[0];
  if (!laid)
    throw new Refusal(
      "belowPaid",
      line.settled ? "减免后金额小于已收金额，请先撤销分配" : "减免金额不能大于费用金额",
    );
  const row: LineRow = {
    id,
    billId: bill.id,
    feeSubjectId: line.feeSubjectId,
    kind,
    roomId: line.roomId,
    amount,
    taxMode: line.taxMode,
    taxRate: line.taxRate,
    tax: laid.tax,
    periodStart: line.periodStart,
    periodEnd: line.periodEnd,
    slices: adjustment.slices ?? slicesOf(line.slices, amount),
    explain: adjustment.explain ?? { rule: kind, before: netOf(line), amount },
    adjustsLineId: line.id,
    reason: adjustment.reason,
    adjusted: 0,
  };
  // several corrections of one line in one act stand on each other
  line.adjusted += amount;
  return { bill, line, row };
}
