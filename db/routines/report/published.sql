-- What domains to the left ask of reports.

-- The share that each store is to collect of what is due in some months: the mean of their targets, those without one of
-- their own by the company's; nothing where a month has none, so that a gap never looks like a lower target.
create or replace function collection_targets(from_day date, to_day date)
returns table (village_id bigint, value numeric)
language sql stable as $$
  select v.id, case when count(t.value) = p.months or min(r.default_target) is not null
    then round((coalesce(sum(t.value), 0) + (p.months - count(t.value)) * coalesce(min(r.default_target), 0)) / p.months, 4) end
  from (
    select date_trunc('month', from_day)::date first, date_trunc('month', to_day)::date last,
      ((extract(year from to_day) - extract(year from from_day)) * 12 + extract(month from to_day) - extract(month from from_day))::int + 1 months) p
  cross join village v
  left join indicator_target t on t.code = 'collectionRate' and t.village_id = v.id and t.month between p.first and p.last
  left join indicator_rule r on r.code = 'collectionRate' and r.enterprise_id = v.enterprise_id
  where p.months > 0
  group by v.id, p.months
$$;
