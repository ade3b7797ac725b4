import { type RawBuilder, sql } from "kysely";
import type { z } from "zod";
import { daysBetween, type Day } from "../../../platform/kernel/day.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { recompute, sentence } from "../schedule/sentence.rules.ts";
import type { Explain } from "../schedule/line.rules.ts";
import type {
  companyStatement,
  contractBills,
  contractFlows,
  contractMoney,
  contractOccupants,
  contractRefunds,
} from "./detail.contract.ts";
import { phaseOf, type State } from "./contract.rules.ts";

type Money = z.input<typeof contractMoney>;

/** The contract's money in one look; every figure is the sum of bills that can be opened. */
export async function moneyOf(read: Read, id: number): Promise<Money> {
  const { rows } = await sql<Money>`
    select coalesce(sum(b.amount + b.adjusted), 0)::bigint total,
      coalesce(sum(b.amount + b.adjusted) filter (where b.issued_at is not null), 0)::bigint billed,
      coalesce(sum(b.settled), 0)::bigint received,
      coalesce(sum(b.outstanding) filter (where b.issued_at is not null), 0)::bigint owed,
      coalesce(sum(b.written_off), 0)::bigint "writtenOff",
      coalesce(sum(b.adjusted), 0)::bigint credited,
      coalesce(sum(b.outstanding) filter (where b.issued_at is null), 0)::bigint planned,
      coalesce(sum(b.outstanding) filter (where ${isLateMoney(read.today)}), 0)::bigint overdue,
      coalesce(sum(b.invoiced), 0)::bigint invoiced,
      coalesce((select sum(l.amount + l.adjusted) from bill_line l join bill x on x.id = l.bill_id
        join fee_subject s on s.id = l.fee_subject_id where x.contract_id = ${id} and x.voided_at is null
        and s.kind = 'deposit' and l.kind = 'normal'), 0)::bigint "depositBilled",
      coalesce((select sum(held) from deposit_balance where contract_id = ${id} and kind = 'deposit'), 0)::bigint "depositHeld"
    from bill b where b.contract_id = ${id} and b.voided_at is null and b.direction = 'receivable'`.execute(
    read.tx,
  );
  return rows[0]!;
}

/** Earlier and later contracts of the same tenancy, oldest first, each up to the day on which it was or will be left. */
export async function chainOf(read: Read, id: number) {
  const rows = await sql<{
    id: number;
    contractNo: string;
    source: "new";
    state: State;
    startDate: Day | null;
    end: Day | null;
    endDate: Day | null;
  }>`
    select o.id, o.contract_no "contractNo", o.source, o.state, o.start_date "startDate", o.end_date "end",
      coalesce(o.leave_date, o.end_date) "endDate"
    from contract c join contract o on o.chain_id = c.chain_id
    where c.id = ${id} and o.village_id = any(${read.who.villages as number[]}::bigint[])
    order by o.start_date, o.id`.execute(read.tx);
  return rows.rows.map(({ state, end, ...row }) => ({
    ...row,
    phase: phaseOf({ state, start: row.startDate, end }, read.today),
  }));
}

type BillRow = Omit<z.input<typeof contractBills.reply>[number], "overdueDays" | "lines"> & {
  lines: (Omit<z.input<typeof contractBills.reply>[number]["lines"][number], "how"> & {
    explain: Explain | null;
  })[];
};

const SCHEDULED = new Set([
  ...["rent", "fee", "free", "wholePeriod", "once", "depositAmount", "depositMonths", "depositRest"],
  ...["firstMonths", "percentOff", "amountOff"],
]);
/** A line of the schedule in words, checked by computing it again; others speak through their reason. */
function howOf({ explain, amount }: { explain: Explain | null; amount: number }): string {
  if (!explain || !SCHEDULED.has(explain.rule)) return "";
  return recompute(explain) === amount ? sentence(explain) : "";
}

export async function billsOf(read: Read, id: number): Promise<z.input<typeof contractBills.reply>> {
  const { rows } = await sql<BillRow>`
    select b.id, b.bill_no "billNo", b.title, b.period_start "periodStart", b.period_end "periodEnd",
      b.due_date "dueDate", b.issued_at is not null issued, b.amount + b.adjusted amount, b.settled, b.outstanding,
      b.invoiced, b.status, (
        select json_agg(json_build_object('id', l.id, 'subject', s.name, 'kind', l.kind, 'roomName', r.full_name,
          'amount', l.amount, 'settled', l.settled, 'periodStart', l.period_start, 'periodEnd', l.period_end,
          'explain', l.explain, 'reason', l.reason) order by l.id)
        from bill_line l join fee_subject s on s.id = l.fee_subject_id left join room r on r.id = l.room_id
        where l.bill_id = b.id) lines
    from bill b where b.contract_id = ${id} and b.direction = 'receivable' order by b.due_date, b.id`.execute(
    read.tx,
  );
  return rows.map(({ lines, ...bill }) => ({
    ...bill,
    overdueDays: bill.issued && bill.outstanding > 0 ? Math.max(0, daysBetween(bill.dueDate, read.today)) : 0,
    lines: lines.map(({ explain, ...line }) => ({ ...line, how: howOf({ explain, amount: line.amount }) })),
  }));
}

/** The issued rent bill whose period today lies in, else the last one before. */
export const currentBill = (contractId: RawBuilder<unknown>, today: Day) => sql`
  select b.id, b.amount + b.adjusted amount, b.status, b.period_start, b.period_end from bill b
  where b.contract_id = ${contractId} and b.direction = 'receivable' and b.voided_at is null and b.issued_at is not null
    and exists (select 1 from bill_line l join fee_subject s on s.id = l.fee_subject_id
      where l.bill_id = b.id and s.code = 'rent')
  order by b.period_start <= ${today}::date desc, b.period_start desc, b.id limit 1`;

type StatementLine = z.input<typeof companyStatement.reply>["list"][number];

/** Lines of the bills of a contract's period, room by room, deposits left out; what belongs to no room comes last. */
export async function statementLines({ tx, today }: Read, contractId: number): Promise<StatementLine[]> {
  const { rows } = await sql<StatementLine>`
    select coalesce(r.full_name, '') "roomName", s.name subject, l.period_start "periodStart", l.period_end "periodEnd",
      b.bill_no "billNo", b.due_date "dueDate", l.amount + l.adjusted amount, l.settled, l.outstanding
    from (${currentBill(sql`${contractId}::bigint`, today)}) now
    join bill b on b.contract_id = ${contractId} and b.direction = 'receivable' and b.voided_at is null
      and b.issued_at is not null and b.period_start between now.period_start and now.period_end
    join bill_line l on l.bill_id = b.id and l.kind in ('normal', 'lateFee')
    join fee_subject s on s.id = l.fee_subject_id and s.kind <> 'deposit' left join room r on r.id = l.room_id
    order by r.full_name nulls last, b.due_date, l.id`.execute(tx);
  return rows;
}

export async function flowsOf(read: Read, id: number): Promise<z.input<typeof contractFlows.reply>> {
  const { rows } = await sql<z.input<typeof contractFlows.reply>[number]>`
    select min(a.id)::text id, f.id "flowId", f.flow_no "flowNo", a.kind "way", f.channel, a.date,
      coalesce(f.payer_name, '') "payerName", sum(a.amount)::bigint amount,
      string_agg(distinct b.bill_no, '、' order by b.bill_no) bills
    from allocation a join bill b on b.id = a.bill_id left join flow f on f.id = a.flow_id
    where b.contract_id = ${id}
    group by f.id, a.kind, a.date, a.undoes_id is null order by a.date desc, min(a.id) desc`.execute(read.tx);
  return rows;
}

export async function refundsOf(read: Read, id: number): Promise<z.input<typeof contractRefunds.reply>> {
  const rows = await read.tx
    .selectFrom("refund")
    .select(["id", "refundNo", "source", "amount", "paid", "state", "createdAt", "paidOn", "reason"])
    .where("contractId", "=", id)
    .orderBy("id", "desc")
    .execute();
  return rows as z.input<typeof contractRefunds.reply>;
}

/** The signer, up to the day of leaving, first; then whoever else lives there. */
export async function occupantsOf(read: Read, id: number): Promise<z.input<typeof contractOccupants.reply>> {
  const { rows } = await sql<z.input<typeof contractOccupants.reply>[number]>`
    select c.party_id id, cr.room_id "roomId", cr.name "roomName", c.party_name name, coalesce(p.phone, '') phone,
      r.cert_no_masked "certNo", '签约人' relation, true signer, true "lockAccess", c.start_date "fromDate",
      greatest(c.start_date, coalesce(c.leave_date, c.end_date)) "toDate"
    from contract c join party p on p.id = c.party_id join renter r on r.id = p.id
    left join lateral (select * from contract_room where contract_id = c.id order by seq limit 1) cr on true
    where c.id = ${id} and c.start_date is not null
    union all
    select o.id, o.room_id, coalesce(x.full_name, ''), o.name, o.phone, o.cert_no_masked, o.relation, false, o.lock_access,
      o.from_date, o.to_date
    from contract_occupant o left join room x on x.id = o.room_id where o.contract_id = ${id}
    order by signer desc, id`.execute(read.tx);
  return rows.map((row) => ({ ...row, phone: row.phone && maskPhone(row.phone) }));
}

export async function logOf(read: Read, id: number) {
  return read.tx
    .selectFrom("businessLog")
    .select(["id", "at", "operatorName", "action", "summary"])
    .where("kind", "=", "contract")
    .where("recordId", "=", id)
    .orderBy("id", "desc")
    .limit(500)
    .execute();
}
