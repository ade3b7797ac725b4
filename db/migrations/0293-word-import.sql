-- Spreadsheets of dictionary words: checked as a whole, taken as a whole, taken back while no record uses the words.
create table dic_import (
  id bigint generated always as identity primary key,
  number text not null unique,
  enterprise_id bigint not null references enterprise,
  kind text not null check (kind in ('house', 'facility', 'customer')),
  file_id bigint not null references stored_file,
  file_name text not null,
  sha256 text not null,
  row_count int not null default 0,
  errors jsonb not null default '[]',
  error_count int not null default 0,
  state text not null check (state in ('failed', 'ready', 'done', 'undone')),
  created_at timestamptz not null default now(), created_by bigint not null references operator,
  updated_at timestamptz not null default now(),
  version int not null default 1
);
create index dic_import_latest on dic_import (enterprise_id, kind, created_at desc);
alter table dic_item add column import_id bigint references dic_import;
create index dic_item_import on dic_item (import_id) where import_id is not null;
