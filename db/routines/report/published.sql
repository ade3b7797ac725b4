-- What domains to the left ask of reports.

-- The share that a store is to collect of what is due in some months: the mean of their targets, those without one of
-- their own by the company's; nothing where a month has none, so that a gap never looks like a lower target.
create or replace function collection_target(of_village bigint, from_day date, to_day date) returns numeric
language sql stable as $$
  select case when count(*) = count(x.value) then round(avg(x.value), 4) end from (
    select coalesce(t.value, r.default_target) value
    from generate_series(date_trunc('month', from_day), date_trunc('month', to_day), interval '1 month') m
    join village v on v.id = of_village
    left join indicator_target t on t.code = 'collectionRate' and t.village_id = of_village and t.month = m::date
    left join indicator_rule r on r.code = 'collectionRate' and r.enterprise_id = v.enterprise_id) x
$$;
