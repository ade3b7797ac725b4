-- Codes that are sent to phones, and everything that leaves the house by text message.
create table outbox (
  id bigint generated always as identity primary key,
  channel text not null check (channel in ('sms')),
  recipient text not null,
  template text not null,
  params jsonb not null default '{}',
  state text not null default 'queued' check (state in ('queued', 'sent', 'failed')),
  attempts int not null default 0,
  -- who took it, and under which number there
  carrier text not null default '',
  carrier_no text not null default '',
  error text not null default '',
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index outbox_created on outbox (created_at desc, id desc);

create table sms_code (
  id bigint generated always as identity primary key,
  phone text not null,
  -- 1 register, 2 recover, 3 and 4 change phone, 5 change password, 6 sign on a phone
  type smallint not null check (type between 1 and 6),
  code_hash bytea not null,
  ip text not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  tries_left smallint not null default 5 check (tries_left >= 0),
  used_at timestamptz
);
create index sms_code_phone on sms_code (phone, sent_at desc);
create index sms_code_ip on sms_code (ip, sent_at desc);
