import { type RawBuilder, sql } from "kysely";

/** What stores took in, and what of it pays lines: flows and payments are what 2203 was moved by. */
export const takingsUsed = (): RawBuilder<unknown> => sql`
  with booked as materialized (
    select l.village_id, sum(l.credit - l.debit) filter (where e.event in ('E06', 'E17', 'E10')) received,
      sum(l.debit - l.credit) filter (where e.source_type = 'allocation') used
    from journal_line l join journal_entry e on e.id = l.entry_id where l.account = '2203' group by 1
  ), received as (
    select village_id, sum(amount) fen from flow
    where state = 'confirmed' and direction = 'in' and kind = 'receipt' group by 1
  ), used as (
    select a.village_id, sum(a.amount) fen from allocation a join bill b on b.id = a.bill_id
    where a.kind = 'money' and b.direction = 'receivable' group by 1)
  select v.id village_id, v.name || ' ' || f.title key, coalesce(f.expected, 0) expected, coalesce(f.actual, 0) actual
  from village v left join booked b on b.village_id = v.id left join received r on r.village_id = v.id
    left join used u on u.village_id = v.id
  cross join lateral (values ('收款', r.fen, b.received), ('分配', u.fen, b.used)) f (title, expected, actual)`;

/**
 * The flows of a receiving account are what its money was moved by; a claim moves none. And the money of each store and of head
 * office, with what they owe each other, has come from somewhere (R3): opening, takings, what nobody has claimed, third parties,
 * less refunds, costs and fees, and what stores hand to each other without money: deposits that go on elsewhere, costs they share.
 */
export const moneyOfFlows = (): RawBuilder<unknown> => sql`
  with moved as (
    select merchant_account_id id, sum(case direction when 'in' then amount else -amount end) fen from flow
    where state = 'confirmed' and channel <> 'corporate' group by 1
  ), booked as (
    select l.merchant_account_id id, sum(l.debit - l.credit) fen
    from journal_line l join journal_entry e on e.id = l.entry_id and e.event in ('E06', 'E10', 'E13', 'E26', 'E28')
    where l.account in ('1001', '1002', '1012') group by 1
  ), explained as (
    select village_id place, sum(debit - credit) filter (where account = any('{1001,1002,1012,1019,2299}')) money,
      coalesce(sum(debit - credit) filter (where account = any('{1001,1002,1012,1019,2299}') and event = 'E30'), 0)
        + coalesce(sum(credit - debit) filter (where account in ('2242', '6602', '1221', '6702', '6061')
          or account = '2203' and event in ('E06', 'E17', 'E10') or account = '1131' and event = 'E28'
          or account = '2202' and event in ('E13', 'E26', 'E10', 'E18')), 0)
        + coalesce(sum(debit - credit) filter (where account = '2299' and event in ('E15', 'E25')), 0) fen
    from journal_day group by 1)
  select a.holder_village_id village_id, a.enterprise_id, a.name key, coalesce(m.fen, 0) expected, coalesce(b.fen, 0) actual
  from merchant_account a left join moved m on m.id = a.id left join booked b on b.id = a.id
  union all
  select v.id, coalesce(v.enterprise_id, -x.place), coalesce(v.name, '公司本部') || ' 资金来源', x.fen, coalesce(x.money, 0)
  from explained x left join village v on v.id = x.place`;

/** What is owed to others: refunds that were agreed to and not paid, and what is open of costs. */
export const owedOut = (): RawBuilder<unknown> => sql`
  with booked as (
    select village_id, sum(credit - debit) fen from journal_line where account = '2202' group by 1
  ), refunds as (
    select village_id, sum(amount - paid) fen from refund where state in ('toPay', 'paying', 'failed') group by 1
  ), costs as (
    select village_id, sum(outstanding) fen from bill
    where direction = 'payable' and voided_at is null and issued_at is not null group by 1)
  select v.id village_id, v.name key, coalesce(b.fen, 0) expected, coalesce(r.fen, 0) + coalesce(c.fen, 0) actual
  from village v left join booked b on b.village_id = v.id left join refunds r on r.village_id = v.id
    left join costs c on c.village_id = v.id`;
