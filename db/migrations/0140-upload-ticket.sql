-- A link by which a phone puts pictures into a form that is open on a desk. Only the hash of its token is kept.
create table upload_ticket (
  id bigint generated always as identity primary key,
  token_hash bytea not null unique,
  operator_id bigint not null references operator on delete cascade,
  -- whoever signs out takes the link away with them
  session_id bigint not null references login_session on delete cascade,
  purpose text not null,
  -- what the field is called on the desk
  title text not null default '' check (char_length(title) <= 40),
  max_files int not null check (max_files between 1 and 20),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null check (expires_at > created_at),
  ended_at timestamptz
);
create index upload_ticket_session on upload_ticket (session_id);
create index upload_ticket_operator on upload_ticket (operator_id);
create index upload_ticket_expiry on upload_ticket (expires_at);

-- What came through it.
create table upload_arrival (
  file_id bigint primary key references stored_file on delete cascade,
  ticket_id bigint not null references upload_ticket on delete cascade,
  arrived_at timestamptz not null default now()
);
create index upload_arrival_ticket on upload_arrival (ticket_id);
