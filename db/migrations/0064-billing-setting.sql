-- A setting is a row per change from now on, never altered: what holds on a day is laid together from the changes that
-- have begun by then. `version` counts the changes of an enterprise, or of one of its villages.
alter table billing_setting
  -- fields that are no longer the owner's own: a village follows its enterprise again, an enterprise the product
  add column follows text[] not null default '{}',
  -- what held in the changed fields until then
  add column before jsonb not null default '{}',
  add column effective_date date not null default '2000-01-01',
  add column created_at timestamptz not null default now(),
  add column created_by bigint;
update billing_setting set version = 1;
alter table billing_setting drop constraint billing_setting_enterprise_id_village_id_key;
alter table billing_setting
  add constraint billing_setting_change_key unique nulls not distinct (enterprise_id, village_id, version);
create trigger billing_setting_append_only before update or delete on billing_setting
  for each row execute function refuse_change();
