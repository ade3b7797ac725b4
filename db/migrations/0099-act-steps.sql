-- Since when an act is at its step; kept by a trigger (act_step_since).
alter table contract_act add column state_since timestamptz not null default now();
update contract_act set state_since = coalesce(done_at, updated_at);
