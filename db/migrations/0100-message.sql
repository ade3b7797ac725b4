-- What the system tells operators. A message is written once; each of its readers has a receipt of their own.
create table message (
  id bigint generated always as identity primary key,
  type smallint not null check (type between 1 and 8),
  title text not null check (char_length(title) between 1 and 100),
  content text not null default '' check (char_length(content) <= 2000),
  -- the record it is about, by the names of the business log; where to go is the console's to know
  biz_type text not null default '',
  biz_id bigint,
  village_id bigint references village,
  -- label and value pairs beside the text: room, party, amount
  facts jsonb not null default '[]',
  -- tells the same thing once, however often its event is delivered
  once_key text unique,
  push_time timestamptz not null default now()
);

create table message_receipt (
  message_id bigint not null references message on delete cascade,
  operator_id bigint not null references operator,
  type smallint not null,
  push_time timestamptz not null,
  status smallint not null default 0 check (status in (0, 1)),
  read_at timestamptz,
  deleted_at timestamptz,
  primary key (message_id, operator_id)
);
create index message_receipt_mine on message_receipt (operator_id, push_time desc, message_id desc) where deleted_at is null;
create index message_receipt_unread on message_receipt (operator_id, type) where status = 0 and deleted_at is null;
