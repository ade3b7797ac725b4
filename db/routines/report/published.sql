-- What domains to the left ask of reports.

-- The share that each store is to collect of what is due in some months: the mean of their targets, those without one of
-- their own by the company's; nothing where a month has none, so that a gap never looks like a lower target.
create or replace function collection_targets(from_day date, to_day date)
returns table (village_id bigint, value numeric)
language sql stable as $$
  select x.id, case when count(*) = count(x.value) then round(avg(x.value), 4) end from (
    select v.id, coalesce(t.value, r.default_target) value
    from generate_series(date_trunc('month', from_day), date_trunc('month', to_day), interval '1 month') m
    cross join village v
    left join indicator_target t on t.code = 'collectionRate' and t.village_id = v.id and t.month = m::date
    left join indicator_rule r on r.code = 'collectionRate' and r.enterprise_id = v.enterprise_id) x
  group by 1
$$;
