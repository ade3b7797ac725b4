-- A lock is a fact about an account and the address that guessed at it, and lapses by itself. It says nothing about the
-- operator, so whoever was locked for good is let in again.
create table login_lock (
  account text not null,
  -- '*': every address that the account has not signed in from lately
  ip text not null,
  -- how many locks in a row: each lasts twice as long as the one before
  times int not null check (times > 0),
  until timestamptz not null,
  primary key (account, ip)
);
update operator set state = 'active' where state = 'locked';
alter table operator drop constraint operator_state_check;
alter table operator add constraint operator_state_check check (state in ('active', 'disabled'));
