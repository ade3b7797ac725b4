import { sql } from "kysely";
import {
  type Day,
  dayInZone,
  maxDay,
  addToMonth,
  firstOf,
  lastOf,
  monthOf,
} from "../../../platform/kernel/day.ts";
import { type Fen, yuan, AMOUNT_MAX } from "../../../platform/kernel/fen.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { lookedUp } from "../../../platform/server/database/prepared.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Bill, type Line, isPayable, taxOf, taxOfChange } from "../bill/bill.rules.ts";
import { type Around, aroundOf, lockBills } from "../bill/bills.queries.ts";
import { insertLines, keepSums, keepAround, billNote } from "../bill/keep.service.ts";
import type { LineRow } from "../bill/make.rules.ts";
import { lineEntry } from "../bill/posting.rules.ts";
import { post } from "../journal/journal.service.ts";
import { type LateBill, lateBillsAt } from "./late.queries.ts";
import { type LateFee, type LateFeeInput, firstLateDay, lateFee } from "./latefee.rules.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { settingsOf } from "../setting/setting.service.ts";

export type BillLateFee = LateFee & {
  /** Lines of late fee that stand on the bill already, corrections included. */
  frozen: Fen;
  /** total − frozen: what would be added now; negative when money came earlier than it was recorded. */
  expected: Fen;
};

/** Lines that bear a late fee: income that the setting names; never deposits, collected money or the fee itself. */
export function bearing<B extends LateBill>(bill: B, { subjects, settings }: Around): B["lines"] {
  const { lateFeeSubjects } = settings(bill.villageId);
  return bill.lines.filter((line) => {
    const subject = subjects.of(line.feeSubjectId);
    return (
      isPayable(line) &&
      subject.kind === "income" &&
      (!lateFeeSubjects || lateFeeSubjects.includes(subject.code))
    );
  });
}

/** Whether a bill bears a late fee up to a day, written or not. */
const isLate = (bill: LateBill, until: Day, { settings }: Around): boolean =>
  bill.direction === "receivable" &&
  !bill.voidedAt &&
  Number(bill.lateFeeRate) > 0 &&
  settings(bill.villageId).lateFeeEnabled &&
  (firstLateDay(bill.dueDate, bill.graceDays) <= until || bill.lines.some((l) => l.kind === "lateFee"));

/** What late fees rest on beside the bills: what was paid, charged more and disputed, and when. */
export type LateFacts = {
  allocations: { lineId: number; day: Day; amount: Fen; because: string }[];
  increases: { lineId: number; day: Day; amount: Fen }[];
  disputes: { billId: number; from: Day; to: Day | null }[];
};

/** The late fee of each bill up to a day; bills that bear none are left out. The money's own day counts, not the recording. */
export async function lateFeesOf(
  read: Read,
  bills: readonly LateBill[],
  until: Day,
  around: Around,
): Promise<Map<number, BillLateFee>> {
  return lateFeesOn(until, bills, around, await lateFactsOf(read, bills, until, around));
}

/** The same from facts that were read for this day or a later one. */
export function lateFeesOn(
  until: Day,
  bills: readonly LateBill[],
  around: Around,
  { allocations, increases, disputes }: LateFacts,
): Map<number, BillLateFee> {
  const result = new Map<number, BillLateFee>();
  for (const bill of bills.filter((one) => isLate(one, until, around))) {
    const lines = bearing(bill, around);
    const bears = new Set(lines.map((line) => line.id));
    const added = increases.filter((a) => bears.has(a.lineId));
    const net = lines.reduce((sum, line) => sum + line.amount + line.adjusted, 0);
    const input: LateFeeInput = {
      dueDate: bill.dueDate,
      graceDays: bill.graceDays,
      rate: bill.lateFeeRate,
      cap: bill.lateFeeCap,
      // reductions count from the start, increases from the day they were made
      principal: net - added.reduce((sum, a) => sum + a.amount, 0),
      changes: [
        ...added.map((a) => ({ day: a.day, amount: a.amount, because: `调整增加 ${yuan(a.amount)}` })),
        ...allocations
          .filter((a) => bears.has(a.lineId))
          .map((a) => ({ day: a.day, amount: -a.amount, because: `${a.because} ${yuan(a.amount)}` })),
        ...(around.paid ?? [])
          .filter((p) => bears.has(p.lineId))
          .map((p) => ({ day: p.day, amount: -p.amount, because: `本次收款 ${yuan(p.amount)}` })),
      ],
      disputes: around.settings(bill.villageId).lateFeePauseOnDispute
        ? disputes.filter((d) => d.billId === bill.id)
        : [],
    };
    const fee = lateFee(input, maxDay(until, writtenUntil(bill)));
    const frozen = writtenOn(bill).reduce((sum, written) => sum + written.amount, 0);
    result.set(bill.id, { ...fee, frozen, expected: fee.total - frozen });
  }
  return result;
}

/**
 * The late fee that is written on a bill, line by line. What was waived was written all the same; what the undo of a settlement took
 * back was not.
 */
function writtenOn({ lines }: LateBill): { amount: Fen; periodEnd: Day | null }[] {
  const back = Map.groupBy(
    lines.filter((l) => l.kind === "trim"),
    (l) => l.adjustsLineId,
  );
  return lines.flatMap(({ id, kind, amount, periodEnd }) => {
    if (kind !== "lateFee") return [];
    const left = (back.get(id) ?? []).reduce((sum, l) => sum + l.amount, amount);
    return left ? [{ amount: left, periodEnd }] : [];
  });
}

/** The last day a late fee was written for: a payment booked for an earlier day does not take later days back. */
const writtenUntil = (bill: LateBill): Day =>
  writtenOn(bill).reduce((last, { periodEnd }) => (periodEnd ? maxDay(last, periodEnd) : last), bill.dueDate);

/** Allocations that stand, with the money's own day. */
const ALLOCATED = sql`allocation_standing a join bill b on b.id = a.bill_id left join flow f on f.id = a.flow_id
  left join party_balance p on a.kind = 'money' and a.flow_id is null and p.kind = 'prepaid'
    and p.village_id = a.village_id and p.party_id = b.party_id`;
const MONEY_DAY = sql`coalesce(f.paid_on, p.opening_on, a.date)`;

/** The days that count for late fee of some allocations that stand. */
export async function moneyDays(
  read: Pick<Read, "tx">,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Day>> {
  const { rows } = await sql<{ id: number; day: Day }>`
    select a.id, ${MONEY_DAY} "day" from ${ALLOCATED} where a.id = ${lookedUp(ids)}`.execute(read.tx);
  return new Map(rows.map((row) => [row.id, row.day]));
}

/** Reads the facts for late fees up to a day. */
export async function lateFactsOf(
  read: Read,
  late: readonly LateBill[],
  until: Day,
  around: Around,
): Promise<LateFacts> {
  const bills = late.filter((bill) => isLate(bill, until, around));
  const facts: LateFacts = { allocations: [], increases: [], disputes: [] };
  if (!bills.length) return facts;
  const having = (test: (line: LateBill["lines"][number]) => boolean) =>
    bills.filter((bill) => bill.lines.some(test)).map((bill) => bill.id);
  const paid = having((line) => line.settled !== 0 || line.writtenOff !== 0);
  if (paid.length) {
    const { rows } = await sql<LateFacts["allocations"][number]>`
      select a.bill_line_id "lineId", ${MONEY_DAY} "day", sum(a.amount) amount,
        case when f.id is not null then f.flow_no || ' 收款' when a.kind = 'writeOff' then '核销'
          when a.kind = 'money' then '期初预存款' else '押金抵扣' end because
      from ${ALLOCATED} where a.bill_id = ${lookedUp(paid)}
      group by a.bill_line_id, 2, f.id, a.kind order by 2, 1`.execute(read.tx);
    facts.allocations = rows;
  }
  const raised = having((line) => line.kind === "adjust" && line.amount > 0);
  if (raised.length) {
    const { rows } = await sql<{ lineId: number; at: string; amount: Fen }>`
      select adjusts_line_id "lineId", created_at "at", amount from bill_line
      where bill_id = any(${raised}::bigint[]) and kind = 'adjust' and amount > 0
        and adjusts_line_id is not null`.execute(read.tx);
    const dayOf = (at: string) => dayInZone(new Date(at), read.settings.TIME_ZONE);
    facts.increases = rows.map(({ at, ...row }) => ({ ...row, day: dayOf(at) }));
  }
  const disputed = bills.filter((bill) => bill.disputedFrom !== null).map((bill) => bill.id);
  if (disputed.length) {
    const { rows } = await sql<LateFacts["disputes"][number]>`
      select bill_id "billId", from_day "from", to_day "to" from bill_dispute
      where bill_id = ${anyOf(disputed)} order by from_day`.execute(read.tx);
    facts.disputes = rows;
  }
  return facts;
}

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
    invoicing: 0,
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

/**
 * 预计滞纳金 of bills at the end of a day, by bill: what the fee had grown to, less what stood on the bill by then. It is
 * in no balance until it is written. Bills that bear none are left out.
 */
export async function expectedLateFees(
  read: Read,
  billIds: readonly number[],
  day: Day,
): Promise<Map<number, Fen>> {
  const bills = await lateBillsAt(read, billIds, day);
  const around = await aroundOf(
    read,
    bills.map((bill) => bill.villageId),
  );
  const fees = await lateFeesOf(read, bills, day, around);
  return new Map([...fees].flatMap(([id, { expected }]) => (expected > 0 ? [[id, expected]] : [])));
}

/** Villages whose setting writes late fees down once a month. */
export async function monthlyVillages(read: Pick<Read, "tx" | "today">): Promise<number[]> {
  const rows = await read.tx.selectFrom("village").select("id").orderBy("id").execute();
  const ids = rows.map((row) => row.id);
  const settings = await settingsOf(read, ids);
  return ids.filter((id) => settings(id).lateFeeEnabled && settings(id).lateFeeFreeze === "monthly");
}

/** The last day of the month that has ended: however late the run is, it writes the same. */
export const monthEnd = (today: Day): Day => lastOf(addToMonth(monthOf(today), -1));

/** Months after its payment in which a paid bill's fee is still looked at: runs that were missed are caught up. */
const LOOK_BACK = 3;

/**
 * Writes the late fees of some villages up to a day (E03), at most `limit` bills after a given one: what is still open,
 * and what was paid lately, because in these villages paying writes no fee. Answers the last bill, or nothing at the
 * end. Doing it twice adds nothing.
 */
export async function freezeMonth(
  act: Act,
  of: { villageIds: readonly number[]; until: Day; after: number; limit: number },
): Promise<number | undefined> {
  const since = addToMonth(monthOf(of.until), -LOOK_BACK);
  const { rows } = await sql<{ id: number }>`
    select b.id from bill b
    where b.village_id = ${anyOf(of.villageIds)} and b.id > ${of.after} and b.direction = 'receivable'
      and b.issued_at is not null and b.voided_at is null and b.late_fee_rate > 0 and b.amount <= ${2 * AMOUNT_MAX}
      and b.due_date < ${of.until}::date - b.grace_days
      and (b.outstanding > 0
        or exists (select from allocation a where a.bill_id = b.id and a.date >= ${firstOf(since)}))
    order by b.id limit ${of.limit}`.execute(act.tx);
  if (!rows.length) return undefined;
  const bills = await lockBills(
    act,
    rows.map((row) => row.id),
  );
  const standing = bills.filter((bill) => !bill.voidedAt);
  const around = await aroundOf(
    act,
    standing.map((bill) => bill.villageId),
  );
  const written = await freezeLateFees(act, standing, of.until, around);
  const touched = standing.filter((bill) => written.has(bill.id));
  if (touched.length) {
    await keepAround(act, touched);
    await act.note(
      touched.map((bill) =>
        billNote(bill, "滞纳金入账", `${monthOf(of.until)} 滞纳金入账 ${yuan(written.get(bill.id)!.amount)}`),
      ),
    );
  }
  return rows.at(-1)!.id;
}
