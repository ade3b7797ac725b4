-- What was taken, by day, channel and account: the credit side of 2203 from receipts, less what was reversed that day.
create index journal_line_prepaid on journal_line (village_id, date) include (entry_id, flow_id, debit, credit) where account = '2203';

create function collected(from_day date, to_day date, villages bigint[])
returns table (
  day date, village_id bigint, channel text, merchant_account_id bigint, operator_id bigint,
  amount bigint, reversed bigint, fee bigint, flows bigint)
language sql stable as $$
select l.date, l.village_id, f.channel, f.merchant_account_id, f.created_by,
  (sum(l.credit) - sum(l.debit))::bigint, coalesce(sum(l.debit), 0)::bigint,
  coalesce(sum(f.fee) filter (where l.credit > 0), 0)::bigint, count(*) filter (where l.credit > 0)
from journal_line l
join journal_entry e on e.id = l.entry_id
join flow f on f.id = l.flow_id
where l.account = '2203' and l.village_id = any (villages) and l.date between from_day and to_day
  and e.event in ('E06', 'E17', 'E10') and f.kind = 'receipt'
group by 1, 2, 3, 4, 5
$$;
