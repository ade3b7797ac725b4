-- Late-fee terms that begin on a later day: [{"from": "2026-12-01", "terms": {"graceDays": 5}}], in order of days.
alter table contract_config add column coming jsonb not null default '[]'
  constraint contract_config_coming_check check (jsonb_typeof(coming) = 'array');
