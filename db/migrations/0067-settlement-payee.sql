-- After how many days a tenant who has the settlement's sheet and says nothing agrees to it.
alter table contract_config add column silent_days int not null default 3 check (silent_days between 1 and 30);

-- Where the refund of a settlement goes: an account of the party, or of whom the party names.
create table settlement_payee (
  act_id bigint primary key references contract_act on delete cascade,
  bank_account_id bigint not null references bank_account on delete cascade,
  -- to the party, where the account is somebody else's
  relation text not null default '' check (char_length(relation) <= 60),
  -- the tenant named it on the page of the sheet
  by_tenant boolean not null default false,
  updated_at timestamptz not null default now(), updated_by bigint,
  version int not null default 1
);
create index settlement_payee_account on settlement_payee (bank_account_id);
