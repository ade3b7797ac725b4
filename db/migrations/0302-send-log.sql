-- What went to a customer about an affair of their own, such as a reservation, stands among everything that was sent.
alter table push_recipient
  drop constraint push_recipient_source,
  add column notice text not null default '',
  -- of somebody who is no customer yet, such as a lead that comes to see rooms
  add column receiver text not null default '',
  alter column party_id drop not null,
  add constraint push_recipient_source check (
    (task_id is not null)::int + (rule_id is not null)::int + (notice <> '')::int = 1
    and (task_id is null) = (made_at is not null)),
  add constraint push_recipient_who check (party_id is not null or (notice <> '' and receiver <> ''));
create index push_recipient_notice on push_recipient (village_id, id desc) where notice <> '';
create index push_recipient_handed on push_recipient (outbox_id) where state = 'handed' and task_id is null;
