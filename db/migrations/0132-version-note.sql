-- What each release of the product brought. The moment is as the business's clocks show it.
create table version_note (
  id bigint generated always as identity primary key,
  release_time timestamp not null,
  version text not null check (char_length(version) between 1 and 64),
  type text not null check (char_length(type) between 1 and 64),
  module text not null check (char_length(module) between 1 and 200),
  content text not null check (char_length(content) between 1 and 200),
  created_by bigint references operator,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index version_note_newest on version_note (release_time desc, id desc);
