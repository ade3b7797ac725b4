import { sql } from "kysely";
import { type Day, dayInZone, maxDay } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { type Bill, type Line, isPayable } from "../bill/bill.rules.ts";
import { type Around, aroundOf, readBills } from "../bill/bills.queries.ts";
import { type LateFee, type LateFeeInput, firstLateDay, lateFee } from "./latefee.rules.ts";

export type BillLateFee = LateFee & {
  /** Lines of late fee that stand on the bill already, corrections included. */
  frozen: Fen;
  /** total − frozen: what would be added now; negative when money came earlier than it was recorded. */
  expected: Fen;
};

/** Lines that bear a late fee: income that the setting names; never deposits, collected money or the fee itself. */
export function bearing(bill: Bill, { subjects, settings }: Around): Line[] {
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

/** The late fee of each bill up to a day; bills that bear none are left out. The money's own day counts, not the recording. */
export async function lateFeesOf(
  read: Read,
  bills: readonly Bill[],
  until: Day,
  around: Around,
): Promise<Map<number, BillLateFee>> {
  const late = bills.filter(
    (bill) =>
      bill.direction === "receivable" &&
      !bill.voidedAt &&
      Number(bill.lateFeeRate) > 0 &&
      around.settings(bill.villageId).lateFeeEnabled &&
      (firstLateDay(bill.dueDate, bill.graceDays) <= until || bill.lines.some((l) => l.kind === "lateFee")),
  );
  if (!late.length) return new Map();
  const ids = late.map((bill) => bill.id);
  const { allocations, increases, disputes } = await changesOf(read, ids);
  const result = new Map<number, BillLateFee>();
  for (const bill of late) {
    const lines = bearing(bill, around);
    const bears = new Set(lines.map((line) => line.id));
    const added = increases.filter((a) => bears.has(a.lineId)).map((a) => ({ ...a, day: dayOf(read, a.at) }));
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
    const frozen = bill.lines.reduce((sum, line) => sum + (line.kind === "lateFee" ? line.amount : 0), 0);
    result.set(bill.id, { ...fee, frozen, expected: fee.total - frozen });
  }
  return result;
}

/** The last day a late fee was written for: a payment booked for an earlier day does not take later days back. */
const writtenUntil = (bill: Bill): Day =>
  bill.lines.reduce(
    (last, line) => (line.kind === "lateFee" && line.periodEnd ? maxDay(last, line.periodEnd) : last),
    bill.dueDate,
  );

const dayOf = (read: Read, at: string): Day => dayInZone(new Date(at), read.settings.TIME_ZONE);

async function changesOf(read: Read, ids: readonly number[]) {
  const bills = ids as number[];
  const allocations = await sql<{ lineId: number; day: Day; amount: Fen; because: string }>`
    select a.bill_line_id "lineId", coalesce(f.paid_on, p.opening_on, a.date) "day", sum(a.amount) amount,
      case when f.id is not null then f.flow_no || ' 收款' when a.kind = 'writeOff' then '核销'
        when a.kind = 'money' then '期初预存款' else '押金抵扣' end because
    from allocation a join bill b on b.id = a.bill_id left join flow f on f.id = a.flow_id
    left join party_balance p on a.kind = 'money' and a.flow_id is null and p.kind = 'prepaid'
      and p.village_id = a.village_id and p.party_id = b.party_id
    where a.bill_id = any(${bills}::bigint[]) and a.undoes_id is null
      and not exists (select from allocation u where u.undoes_id = a.id)
    group by a.bill_line_id, 2, f.id, a.kind order by 2, 1`.execute(read.tx);
  const increases = await sql<{ lineId: number; at: string; amount: Fen }>`
    select adjusts_line_id "lineId", created_at "at", amount from bill_line
    where bill_id = any(${bills}::bigint[]) and kind = 'adjust' and amount > 0 and adjusts_line_id is not null`.execute(
    read.tx,
  );
  const disputes = await sql<{ billId: number; from: Day; to: Day | null }>`
    select bill_id "billId", from_day "from", to_day "to" from bill_dispute
    where bill_id = any(${bills}::bigint[]) order by from_day`.execute(read.tx);
  return { allocations: allocations.rows, increases: increases.rows, disputes: disputes.rows };
}

/**
 * 预计滞纳金 of bills at the end of a day, by bill: what the fee has grown to, less what stood on the bill by then. It is
 * in no balance until it is written. Bills that bear none are left out.
 */
export async function expectedLateFees(
  read: Read,
  billIds: readonly number[],
  day: Day,
): Promise<Map<number, Fen>> {
  const bills = await readBills(read, billIds);
  const around = await aroundOf(
    read,
    bills.map((bill) => bill.villageId),
  );
  const fees = await lateFeesOf(read, bills, day, around);
  const expected = new Map<number, Fen>();
  for (const bill of bills) {
    const written = bill.lines.reduce(
      (sum, l) => sum + (l.kind === "lateFee" && (l.periodEnd ?? day) <= day ? l.amount : 0),
      0,
    );
    const fee = (fees.get(bill.id)?.total ?? 0) - written;
    if (fee > 0) expected.set(bill.id, fee);
  }
  return expected;
}
