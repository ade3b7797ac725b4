-- What a contract's terms were from which day on: as signed, and after each act that changed them.
create table contract_terms (
  contract_id bigint not null references contract on delete cascade,
  version int not null check (version >= 1),
  effective_from date not null,
  -- the act that brought them; none: as signed
  act_id bigint references contract_act,
  end_date date not null check (end_date >= effective_from or version = 1),
  terms jsonb not null,
  -- every room with its rent and its days
  rooms jsonb not null,
  created_at timestamptz not null default now(),
  primary key (contract_id, version),
  check ((version = 1) = (act_id is null))
);
create unique index contract_terms_act on contract_terms (act_id) where act_id is not null;
