-- A contract whose tenant has the rooms.
create or replace function in_force(state text) returns boolean language sql immutable as $$
  select state in ('effective', 'expired')
$$;

-- An act on a contract that is under way.
create or replace function act_is_open(state text) returns boolean language sql immutable as $$
  select state in ('requested', 'inspecting', 'settling', 'handling', 'approving', 'confirming', 'signing')
$$;

-- A contract whose tenant had the rooms.
create or replace function is_over(state text) returns boolean language sql immutable as $$
  select state in ('ended', 'terminated', 'renewed', 'changedRoom')
$$;
