-- The same sums reckoned from the journal, to make them anew and to compare.
create or replace view taking_day_anew as
select t.village_id, t.date "day", f.channel, f.merchant_account_id, f.created_by operator_id,
  sum(t.amount)::bigint amount, sum(t.reversed)::bigint reversed, sum(t.fee)::bigint fee, sum(t.flows)::bigint flows
from (
  select l.date, l.village_id, l.flow_id, l.credit - l.debit amount, l.debit reversed, 0::bigint fee,
    case when l.credit > 0 then 1 else 0 end flows
  from journal_line l join journal_entry e on e.id = l.entry_id
  where l.account = '2203' and e.event in ('E06', 'E17', 'E10')
  union all
  select l.date, l.village_id, l.flow_id, 0, 0, l.debit - l.credit, 0 from journal_line l where l.account = '6602'
) t join flow f on f.id = t.flow_id and f.kind = 'receipt'
group by 1, 2, 3, 4, 5;
