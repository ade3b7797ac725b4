create or replace function collected(from_day date, to_day date, villages bigint[])
returns table (
  day date, village_id bigint, channel text, merchant_account_id bigint, operator_id bigint,
  amount bigint, reversed bigint, fee bigint, flows bigint)
language sql stable as $$
select t.day, t.village_id, t.channel, t.merchant_account_id, t.operator_id,
  sum(t.amount)::bigint, sum(t.reversed)::bigint, sum(t.fee)::bigint, sum(t.flows)::bigint
from taking_day t where t.village_id = any (villages) and t.day between from_day and to_day
group by 1, 2, 3, 4, 5
$$;
