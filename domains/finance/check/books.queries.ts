import { sql, type RawBuilder } from "kysely";
import { AMOUNT_MAX } from "../../../platform/kernel/fen.ts";

/** What is booked on bills that are void, what was settled of them, and bills that a void contract still has. */
export const onVoid = (): RawBuilder<unknown> => sql`
  select b.village_id, b.bill_no || ' ' || a.name key, 0::bigint expected, abs(sum(l.debit - l.credit)) actual
  from bill b join journal_line l on l.bill_id = b.id join account a on a.code = l.account
  where b.status = 'void' group by b.id, a.code
  union all
  select b.village_id, b.bill_no || ' 已收', 0, b.settled + b.written_off from bill b where b.status = 'void'
  union all
  select b.village_id, b.bill_no || ' 合同已作废', 0, b.amount + b.adjusted
  from contract_brief c join bill b on b.contract_id = c.id where c.state = 'voided' and b.voided_at is null`;

/**
 * Deferred income of a contract is what its own bills brought: never below nothing, and none of it from before the
 * contract. A bill that was issued by money of that very day stands as it is: until 0310 a plan took the day of its
 * money, which may have come first.
 */
export const deferredByContract = (): RawBuilder<unknown> => sql`
  with deferred as materialized (
    select c.id, c.village_id, c.contract_no, j.fen, j.first_day,
      coalesce(c.signed_on, least(c.start_date, c.created_at::date)) begun
    from (
      select contract_id, sum(credit - debit) fen, min(date) first_day from journal_line
      where account = '2204' and contract_id is not null group by 1) j join contract_brief c on c.id = j.contract_id)
  select village_id, contract_no key, greatest(fen, 0) expected, fen actual from deferred
  union all
  select d.village_id, d.contract_no || ' 早于合同', 0, sum(l.debit + l.credit)
  from deferred d join journal_line l on l.contract_id = d.id and l.account = '2204' and l.date < d.begun
  where d.first_day < d.begun and not exists (
    select from allocation a join flow f on f.id = a.flow_id where a.bill_id = l.bill_id and f.paid_on = l.date)
  group by d.id, d.village_id, d.contract_no`;

/** What was there at the take-over stands against 3999, and arrears from then still do after every correction. */
export const againstOpening = (): RawBuilder<unknown> => sql`
  select max(l.village_id) village_id, e.entry_no key,
    coalesce(sum(l.debit + l.credit) filter (where l.account not in ('3999', '2299')), 0) expected,
    coalesce(sum(l.debit + l.credit) filter (where l.account = '3999'), 0) actual
  from journal_entry e join journal_line l on l.entry_id = e.id where e.event = 'E30' group by e.id
  union all
  select b.village_id, b.bill_no, case when b.voided_at is null and b.issued_at is not null then o.fen else 0 end,
    coalesce((select sum(credit - debit) from journal_line where bill_id = b.id and account = '3999'), 0)
  from bill b join lateral (
    select coalesce(sum(l.amount), 0) fen from bill_line l join fee_subject s on s.id = l.fee_subject_id
    where l.bill_id = b.id and s.kind <> 'lateFee') o on true
  where b.source = 'opening'`;

/** Standing bills with an amount, or a line, beyond the upper bound; voiding takes such a one off the books. */
export const beyondBound = (): RawBuilder<unknown> => sql`
  select b.village_id, b.bill_no key, ${sql.lit(AMOUNT_MAX)}::bigint expected, m.most actual
  from bill b join lateral (
    select greatest(b.amount + b.adjusted - ${sql.lit(AMOUNT_MAX)}, max(abs(l.amount))) most
    from bill_line l where l.bill_id = b.id) m on m.most > ${sql.lit(AMOUNT_MAX)}
  where b.voided_at is null`;
