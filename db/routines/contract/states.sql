-- A contract whose tenant has the rooms.
create or replace function in_force(state text) returns boolean language sql immutable as $$
  select state in ('effective', 'expired')
$$;

-- A contract whose tenant had the rooms.
create or replace function is_over(state text) returns boolean language sql immutable as $$
  select state in ('ended', 'terminated', 'renewed', 'changedRoom')
$$;
