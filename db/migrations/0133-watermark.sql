-- The operator's name over pages and on files, one choice for each enterprise. Without a row there is none.
create table watermark_config (
  enterprise_id bigint primary key references enterprise,
  enabled boolean not null,
  content text not null check (char_length(content) between 1 and 60),
  opacity smallint not null check (opacity between 5 and 30),
  angle smallint not null check (angle between -90 and 90),
  gap smallint not null check (gap between 40 and 400),
  scopes text[] not null check (cardinality(scopes) > 0 and scopes <@ array['pages', 'exports', 'pdfs']),
  village_ids bigint[] not null default '{}',
  updated_by bigint references operator,
  updated_at timestamptz not null default now(),
  version int not null default 1
);
