-- Who was put on the black list for what and until when, and who took them off again.
alter table black_list
  add column party_id bigint references party on delete set null,
  add column reason_kind text not null default '',
  add column from_on date,
  add column expires_on date,
  add column removed_at timestamptz,
  add column removed_by bigint references operator,
  add column removed_reason text not null default '',
  add constraint black_list_term check (expires_on is null or expires_on >= from_on),
  add constraint black_list_removed check (removed_at is null or not active);
update black_list set from_on = created_at::date;
alter table black_list alter column from_on set not null, alter column from_on set default current_date;

-- One live entry per certificate; of those there are the newest stays.
update black_list b set active = false
where b.active and b.cert_no_hash is not null and exists (
  select 1 from black_list n where n.active and n.enterprise_id = b.enterprise_id and n.cert_no_hash = b.cert_no_hash
    and n.id > b.id);
create unique index black_list_once on black_list (enterprise_id, cert_no_hash)
  where active and cert_no_hash is not null;
create index black_list_expires on black_list (expires_on) where active and expires_on is not null;
