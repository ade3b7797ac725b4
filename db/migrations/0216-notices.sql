-- Which messages staff also get by e-mail and by text message; none unless they want it.
alter table message_setting
  add column mailed smallint[] not null default '{}',
  add column texted smallint[] not null default '{}';
-- What comes in somebody's quiet hours goes when they are over.
alter table outbox add column due_at timestamptz;
create index outbox_due on outbox (due_at) where state = 'queued' and due_at is not null;
