-- What the clock started or somebody asked for: when, how long, how much, how it ended. One of a name at a time.
create table job_run (
  id bigint generated always as identity primary key,
  name text not null,
  queue_id text not null default '',
  asked_by bigint references operator,
  asked_at timestamptz not null default now(),
  began_at timestamptz,
  ended_at timestamptz,
  processed bigint,
  error text not null default ''
);
create unique index job_run_open on job_run (name) where ended_at is null;
create index job_run_newest on job_run (name, id desc);

-- Jobs that somebody switched off; what is not named here runs.
create table job_setting (
  name text primary key,
  enabled boolean not null,
  changed_by bigint references operator,
  changed_at timestamptz not null default now()
);
