-- Sign-ins at another house's log-in that are under way, and tickets that were used: each opens the door once.
create table sso_attempt (
  state_hash bytea primary key,
  verifier text not null,
  nonce text not null,
  expires_at timestamptz not null
);
create table sso_ticket (
  ticket_hash bytea primary key,
  expires_at timestamptz not null
);
