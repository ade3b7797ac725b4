-- A room or flat that is still there on a day: the retired day itself is the first one out.
create or replace function not_retired(retired_day date, d date) returns boolean language sql immutable as $$
  select retired_day is null or retired_day > d
$$;
