-- What an operator wants to be told. Approvals (1) and announcements (7) always arrive.
alter table message add column level smallint not null default 0 check (level between 0 and 3);

create table message_setting (
  operator_id bigint primary key references operator on delete cascade,
  muted smallint[] not null default '{}' check (not muted && array[1, 7]::smallint[]),
  -- between these hours the bell shows no number; both or neither
  quiet_from text check (quiet_from ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  quiet_to text check (quiet_to ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- alarms (6) below this level do not arrive; 1 lets all of them through
  alarm_level smallint not null default 1 check (alarm_level between 1 and 3),
  check ((quiet_from is null) = (quiet_to is null))
);

-- the nightly sweep looks for what was read long ago
create index message_receipt_old on message_receipt (read_at) where status = 1;
