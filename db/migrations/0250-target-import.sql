-- Spreadsheets of targets: checked as a whole, taken as a whole, taken back while nobody has changed them since.
create table target_import (
  id bigint generated always as identity primary key,
  number text not null unique,
  enterprise_id bigint references enterprise,
  file_id bigint not null references stored_file,
  file_name text not null,
  sha256 text not null,
  row_count int not null default 0,
  -- what it changes, each cell with the version it was checked against
  cells jsonb not null default '[]',
  note text not null default '' check (char_length(note) <= 200),
  errors jsonb not null default '[]',
  error_count int not null default 0,
  state text not null check (state in ('failed', 'ready', 'done', 'undone')),
  created_at timestamptz not null default now(), created_by bigint not null references operator,
  updated_at timestamptz not null default now(),
  version int not null default 1
);
create index target_import_mine on target_import (created_by, id desc);
alter table indicator_target_change add column import_id bigint references target_import;
create index indicator_target_change_import on indicator_target_change (import_id) where import_id is not null;
create index indicator_target_change_cell on indicator_target_change (code, village_id, month, id desc);
