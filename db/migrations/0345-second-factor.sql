-- A second factor at the log-in: six digits that an app makes anew every 30 seconds (RFC 6238), or a recovery code.
create table second_factor (
  operator_id bigint primary key references operator on delete cascade,
  -- sealed
  secret bytea not null,
  -- null: the secret was shown, but no code of it came back yet, so nothing is asked for at the log-in
  confirmed_at timestamptz,
  -- the last time step whose code was taken: neither it nor an earlier one is taken again
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table recovery_code (
  operator_id bigint not null references second_factor on delete cascade,
  code_hash bytea not null,
  primary key (operator_id, code_hash)
);
-- whether everybody of the enterprise must have one
alter table enterprise add column second_factor_required boolean not null default false;
-- opened by an identity provider, whose own factors count
alter table login_session add column by_issuer boolean not null default false;
