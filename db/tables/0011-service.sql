-- Versions of a page; a published one never changes.
create table h5_version (
  page_id bigint not null,
  number int not null check (number > 0),
  title text not null check (char_length(title) between 2 and 60),
  blocks jsonb not null check (jsonb_typeof(blocks) = 'array' and jsonb_array_length(blocks) between 1 and 50),
  -- agreements only: the day from which it holds
  effective_day date,
  published_at timestamptz not null default now(),
  published_by bigint references operator,
  primary key (page_id, number)
);

-- Pages and agreements for renters' phones. What was published stands for good: people accepted it.
create table h5_page (
  id bigint generated always as identity primary key,
  -- null: of the deployment itself, such as its user agreement
  enterprise_id bigint references enterprise,
  name text not null check (char_length(name) between 2 and 30),
  kind text not null check (kind in ('page', 'agreement')),
  agreement_type text check (agreement_type in ('user', 'privacy', 'lease', 'member')),
  state text not null default 'draft' check (state in ('draft', 'published', 'offline')),
  -- what people see now; agreements are seen by their version
  published_version int,
  created_at timestamptz not null default now(),
  created_by bigint references operator,
  updated_at timestamptz not null default now(),
  version int not null default 1,
  check ((kind = 'agreement') = (agreement_type is not null)),
  check (state <> 'published' or published_version is not null),
  -- somebody may have accepted it
  check (kind <> 'agreement' or state <> 'offline'),
  foreign key (id, published_version) references h5_version (page_id, number)
);
-- the door asks by type alone: there is one agreement of each
create unique index h5_page_agreement on h5_page (agreement_type) where kind = 'agreement';
create index h5_page_enterprise on h5_page (enterprise_id, id desc);

-- One row for each visitor and day; who it was cannot be told from the mark.
create table h5_view (
  page_id bigint not null references h5_page on delete cascade,
  day date not null,
  visitor bytea not null,
  primary key (page_id, day, visitor)
);

-- References to these tables from domains to the left.
alter table h5_version add foreign key (page_id) references h5_page;
