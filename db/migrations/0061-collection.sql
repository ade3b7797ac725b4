-- What was taken, by day, channel and account: the credit side of 2203 from receipts, less what was reversed that day,
-- and what the channels kept of it.
create index journal_line_prepaid on journal_line (village_id, date) include (entry_id, flow_id, party_id, debit, credit)
  where account = '2203';
create index journal_line_channel_fee on journal_line (village_id, date) include (flow_id, debit, credit)
  where account = '6602';

create function collected(from_day date, to_day date, villages bigint[])
returns table (
  day date, village_id bigint, channel text, merchant_account_id bigint, operator_id bigint,
  amount bigint, reversed bigint, fee bigint, flows bigint)
language sql stable as $$
select t.date, t.village_id, f.channel, f.merchant_account_id, f.created_by,
  sum(t.amount)::bigint, sum(t.reversed)::bigint, sum(t.fee)::bigint, sum(t.flows)::bigint
from (
  select l.date, l.village_id, l.flow_id, l.credit - l.debit amount, l.debit reversed, 0::bigint fee,
    case when l.credit > 0 then 1 else 0 end flows
  from journal_line l join journal_entry e on e.id = l.entry_id
  where l.account = '2203' and l.village_id = any (villages) and l.date between from_day and to_day
    and e.event in ('E06', 'E17', 'E10')
  union all
  select l.date, l.village_id, l.flow_id, 0, 0, l.debit - l.credit, 0
  from journal_line l
  where l.account = '6602' and l.village_id = any (villages) and l.date between from_day and to_day
) t join flow f on f.id = t.flow_id and f.kind = 'receipt'
group by 1, 2, 3, 4, 5
$$;
