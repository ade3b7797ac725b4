import { type RawBuilder, sql } from "kysely";

/**
 * What was recognised by month and subject is what its entries say, and was recognised of no line beyond what it charges. What a
 * contract brings evenly is in the entries like the rest.
 */
export const accrualInBooks = (): RawBuilder<unknown> => sql`
  with said as materialized (
    select entry_id, village_id, sum(gross) gross, sum(tax) tax from accrual_row group by 1, 2
  ), posted as materialized (
    select e.id, max(e.entry_no) entry_no, max(l.village_id) village_id,
      sum(l.debit - l.credit) filter (where l.account = '2204') gross,
      sum(l.credit - l.debit) filter (where l.account = '2222') tax,
      sum(l.credit - l.debit) filter (where l.account = '6001') net
    from journal_entry e join journal_line l on l.entry_id = e.id where e.event = 'E24' group by e.id)
  select p.village_id, p.entry_no || ' ' || f.title key, coalesce(f.said, 0) expected, coalesce(f.posted, 0) actual
  from posted p left join said s on s.entry_id = p.id
  cross join lateral (values ('递延收入', s.gross, p.gross), ('待转销项税', s.tax, p.tax),
    ('业务收入', s.gross - s.tax, p.net)) f (title, said, posted)`;

/**
 * Of a month that is locked, what was recognised line by line is the accrued income kept by day. It is kept by the days of the
 * lines, so a store where contracts are recognised evenly is left out.
 */
export const accrualByDay = (): RawBuilder<unknown> => sql`
  with accrued as (
    select village_id, month, sum(gross) fen from accrual_row group by 1, 2
  ), kept as materialized (
    select village_id, to_char(day, 'YYYY-MM') "month", sum(fen) fen from income_day_now group by 1, 2
  )
  select p.village_id, p.month key, coalesce(d.fen, 0) expected, coalesce(a.fen, 0) actual
  from period_lock p left join accrued a on a.village_id = p.village_id and a.month = p.month
    left join kept d on d.village_id = p.village_id and d.month = p.month
  where p.side = 'income' and exists (
      select from accrual_run r where r.village_id = p.village_id and r.month <= p.month)
    and not exists (select from accrual_row r where r.village_id = p.village_id and r.kind = 'straightLine')`;

/**
 * What bills charge as income is what was recognised of it and what is deferred; income is what was recognised, net of tax. Arrears
 * from before the take-over stand against 3999.
 */
export const deferredIncome = (): RawBuilder<unknown> => sql`
  with booked as materialized (
    select l.village_id, sum(l.credit - l.debit) filter (where l.account = '2204') deferred,
      sum(l.credit - l.debit) filter (where l.account = '6001') income
    from journal_line l where l.account in ('2204', '6001') group by 1
  ), billed as (
    select b.village_id, sum(l.amount) fen
    from bill b join bill_line l on l.bill_id = b.id join fee_subject s on s.id = l.fee_subject_id
    where b.issued_at is not null and b.voided_at is null and b.direction = 'receivable' and b.source <> 'opening'
      and s.kind not in ('deposit', 'earnest', 'agency', 'lateFee') group by 1
  ), accrued as (
    select village_id, sum(gross) gross, sum(net) net from accrual_row group by 1)
  select v.id village_id, v.name || ' ' || f.title key, coalesce(f.expected, 0) expected, coalesce(f.actual, 0) actual
  from village v left join booked b on b.village_id = v.id left join billed c on c.village_id = v.id
    left join accrued a on a.village_id = v.id
  cross join lateral (values ('出账', c.fen, coalesce(a.gross, 0) + coalesce(b.deferred, 0)),
    ('业务收入', a.net, b.income)) f (title, expected, actual)`;

/** Tax inside what was recognised, in late fees and in shares of third parties, less what was invoiced or declared. */
export const taxAhead = (): RawBuilder<unknown> => sql`
  with booked as materialized (
    select l.village_id, sum(l.credit - l.debit) filter (where l.account = '2222') ahead,
      sum(l.credit - l.debit) filter (where l.account = '2221' and e.event in ('E22', 'E23')) due
    from journal_line l join journal_entry e on e.id = l.entry_id where l.account in ('2221', '2222') group by 1
  ), accrued as (
    select village_id, sum(tax) tax from accrual_row group by 1
  ), shared as (
    select village_id, sum(tax) tax from third_party_income where state not in ('draft', 'reversed') group by 1
  ), late as (
    select b.village_id, sum(l.tax) tax
    from bill_line l join fee_subject s on s.id = l.fee_subject_id and s.kind = 'lateFee' join bill b on b.id = l.bill_id
    where b.issued_at is not null and b.voided_at is null and b.direction = 'receivable' group by 1)
  select v.id village_id, v.name key,
    coalesce(a.tax, 0) + coalesce(t.tax, 0) + coalesce(s.tax, 0) - coalesce(b.due, 0) expected, coalesce(b.ahead, 0) actual
  from village v left join booked b on b.village_id = v.id left join accrued a on a.village_id = v.id
    left join shared s on s.village_id = v.id left join late t on t.village_id = v.id`;

/** The vouchers of a locked month are what its journal has, account by account. */
export const vouchersInBooks = (): RawBuilder<unknown> => sql`
  with batch as (
    select *, to_date(month, 'YYYY-MM') first from voucher_batch where state in ('exported', 'booked')
  ), made as (
    select b.id, l.account, sum(l.debit) debit, sum(l.credit) credit
    from batch b join voucher v on v.batch_id = b.id join voucher_line l on l.voucher_id = v.id group by 1, 2
  ), booked as (
    select b.id, j.account, sum(j.debit) debit, sum(j.credit) credit
    from batch b join (select distinct event, side from journal_entry) k on k.side = b.side    join journal_day j on j.village_id = coalesce(b.village_id, -b.enterprise_id) and j.event = k.event
      and j.day between b.first and b.first + interval '1 month - 1 day'
    group by 1, 2)
  select b.village_id, b.enterprise_id, b.batch_no || ' ' || coalesce(m.account, j.account) || f.title key,
    coalesce(f.booked, 0) expected, coalesce(f.made, 0) actual
  from made m full join booked j on j.id = m.id and j.account = m.account join batch b on b.id = coalesce(m.id, j.id)
  cross join lateral (values ('借', m.debit, j.debit), ('贷', m.credit, j.credit)) f (title, made, booked)`;
