-- A reservation that keeps its room: paid, or waiting for its earnest money.
create or replace function reservation_keeps(state text) returns boolean language sql immutable as $$
  select state in ('pending', 'held')
$$;
