-- What the rent is today; the nightly job moves it at each step, so lists can sort and sum by it.
alter table contract add column current_rent bigint check (current_rent between 0 and 9999999999);
-- How the rooms stood when the contract was written: later edits of a room change nothing.
alter table contract_room
  add column seq int not null default 0,
  add column name text not null default '',
  add column kind text not null default 'room',
  add column area numeric(8, 2),
  add column unit_price numeric(12, 6),
  add column capacity int not null default 1;
alter table contract_occupant add column gender text check (gender in ('male', 'female'));
-- The job that lets go of rooms whose contract nobody signed in time.
create index contract_deadline on contract (sign_deadline) where state = 'signing';
-- The job of the day's end.
create index contract_running on contract (end_date) where state = 'effective';
