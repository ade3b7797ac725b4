-- Receiving accounts complete: what each kind needs, and its keys.
alter table merchant_account
  add sub_mch_id text not null default '',
  add terminal_no text not null default '',
  -- 户名 of a bank account
  add account_name text not null default '',
  -- [{terminal, appId}]
  add app_ids jsonb not null default '[]',
  add cert_expires_on date,
  -- days until the channel's money stands in the settlement account
  add settle_days int not null default 0 check (settle_days between 0 and 30),
  add settle_to_account_id bigint references merchant_account check (settle_to_account_id <> id),
  -- takings are handed over by a person (缴款) instead of settling by themselves
  add handover boolean not null default false,
  add supervised boolean not null default false;

create unique index merchant_account_number on merchant_account (kind, mch_id, sub_mch_id) where mch_id <> '';
-- the same number with and without hyphens is one bank account
create unique index merchant_account_bank on merchant_account (replace(bank_account_no, '-', '')) where bank_account_no <> '';
create index merchant_account_holder on merchant_account (holder_village_id);
create index merchant_account_settle on merchant_account (settle_to_account_id) where settle_to_account_id is not null;

-- Sealed, never sent out again. A row says that the key is set, when and by whom.
create table merchant_key (
  merchant_account_id bigint not null references merchant_account on delete cascade,
  name text not null check (name in ('apiV3Key', 'certSerialNo', 'privateKey', 'appPrivateKey', 'alipayPublicKey')),
  sealed bytea not null,
  set_at timestamptz not null default now(),
  set_by bigint,
  primary key (merchant_account_id, name)
);
