create or replace function month_of(d date) returns date language sql immutable parallel safe
return date_trunc('month', d::timestamp)::date;
