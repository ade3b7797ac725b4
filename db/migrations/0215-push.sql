-- Everything that leaves the house for somebody outside: text messages and e-mail, codes and what staff write.
alter table outbox drop constraint outbox_channel_check;
alter table outbox add constraint outbox_channel check (channel in ('sms', 'email'));
-- claimed by one sender at a time
alter table outbox drop constraint outbox_state_check;
alter table outbox add constraint outbox_state check (state in ('queued', 'sending', 'sent', 'failed'));
alter table outbox
  add column tried_at timestamptz,
  add column subject text not null default '',
  -- as the receiver reads it; a code is never kept here
  add column body text not null default '',
  add column source text not null default 'code' check (source in ('code', 'push', 'test', 'notice', 'statement')),
  add column source_id bigint,
  add column party_id bigint references party on delete set null,
  add column village_id bigint references village,
  add column enterprise_id bigint references enterprise,
  add column file_id bigint references stored_file on delete set null,
  -- the same thing is sent once, however often whoever sends it runs
  add column once_key text unique;
create index outbox_of_enterprise on outbox (enterprise_id, id desc) where enterprise_id is not null;

create table message_template (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprise,
  name text not null check (char_length(name) between 2 and 30),
  channel text not null check (channel in ('inApp', 'sms', 'email')),
  -- under which the SMS provider knows the text
  outside_id text not null default '',
  title text not null default '' check (char_length(title) <= 50),
  body text not null check (char_length(body) between 1 and 1000),
  enabled boolean not null default true,
  created_at timestamptz not null default now(), created_by bigint,
  updated_at timestamptz not null default now(), updated_by bigint,
  version int not null default 1,
  constraint message_template_name unique (enterprise_id, name)
);

create table push_task (
  id bigint generated always as identity primary key,
  number text not null unique,
  enterprise_id bigint not null references enterprise,
  title text not null check (char_length(title) between 2 and 50),
  category text not null check (category in ('notice', 'reminder', 'marketing')),
  channels text[] not null check (channels <> '{}' and channels <@ array['inApp', 'sms', 'email']),
  template_id bigint references message_template,
  body text not null check (char_length(body) between 1 and 1000),
  -- whom: kind, villages and the other conditions, as the form has them
  audience jsonb not null,
  village_ids bigint[] not null check (village_ids <> '{}'),
  -- null: as soon as it is let go
  send_at timestamptz,
  state text not null default 'draft'
    check (state in ('draft', 'approving', 'scheduled', 'sending', 'sent', 'partly', 'cancelled', 'stopped')),
  -- counted when its audience is frozen
  recipients int not null default 0,
  parts int not null default 0,
  delivered int not null default 0,
  failed int not null default 0,
  skipped int not null default 0,
  started_at timestamptz, ended_at timestamptz,
  created_at timestamptz not null default now(), created_by bigint not null references operator,
  updated_at timestamptz not null default now(), updated_by bigint,
  version int not null default 1
);
create index push_task_list on push_task (enterprise_id, id desc);
create index push_task_due on push_task (send_at) where state = 'scheduled';

create table push_recipient (
  id bigint generated always as identity primary key,
  task_id bigint not null references push_task on delete cascade,
  party_id bigint not null references party,
  channel text not null check (channel in ('inApp', 'sms', 'email')),
  village_id bigint not null references village,
  -- AES-256-GCM
  address_cipher bytea,
  params jsonb not null default '{}',
  body text not null,
  parts int not null default 0,
  state text not null default 'queued' check (state in ('queued', 'handed', 'delivered', 'failed', 'skipped')),
  reason text not null default '',
  outbox_id bigint references outbox on delete set null,
  tries int not null default 0,
  done_at timestamptz,
  -- nobody gets the same thing twice by one way
  constraint push_recipient_once unique (task_id, party_id, channel)
);
create index push_recipient_open on push_recipient (task_id, id) where state in ('queued', 'handed');
create index push_recipient_state on push_recipient (task_id, state);
create index push_recipient_party on push_recipient (party_id, id desc);

-- Who does not want advertising under this number or address any more.
create table push_opt_out (
  enterprise_id bigint not null references enterprise,
  address_hash bytea not null,
  at timestamptz not null,
  operator_id bigint references operator,
  primary key (enterprise_id, address_hash)
);
