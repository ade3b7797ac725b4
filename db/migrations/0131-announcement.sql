-- What head office tells its people, and who has read and confirmed it.
create table announcement (
  id bigint generated always as identity primary key,
  enterprise_id bigint not null references enterprise,
  title text not null check (char_length(title) between 2 and 60),
  content text not null check (char_length(content) between 1 and 5000),
  audience text not null check (audience in ('all', 'villages', 'departments')),
  village_ids bigint[] not null default '{}',
  department_ids bigint[] not null default '{}',
  pinned boolean not null default false,
  must_confirm boolean not null default false,
  publish_at timestamptz not null,
  expire_at timestamptz check (expire_at > publish_at),
  -- what people see as waiting, published or expired follows from the two moments
  state text not null check (state in ('draft', 'published', 'withdrawn')),
  -- when its audience was told; empty again after a change that everybody has to read anew
  told_at timestamptz,
  round int not null default 1,
  created_by bigint not null references operator,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  version int not null default 1,
  check (audience <> 'villages' or cardinality(village_ids) > 0),
  check (audience <> 'departments' or cardinality(department_ids) > 0)
);
create index announcement_shown on announcement (enterprise_id, pinned desc, publish_at desc) where deleted_at is null;
create index announcement_untold on announcement (publish_at) where told_at is null and state = 'published' and deleted_at is null;

create table announcement_read (
  announcement_id bigint not null references announcement on delete cascade,
  operator_id bigint not null references operator on delete cascade,
  read_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (announcement_id, operator_id)
);

-- True for the active people it is for: of its company, of its stores, or of its departments and those below them.
create function announcement_reaches(a announcement, o operator) returns boolean language sql stable as $$
  select o.state = 'active' and o.enterprise_id = a.enterprise_id and case a.audience
    when 'all' then true
    when 'villages' then o.all_villages or o.village_ids && a.village_ids
    else exists (
      with recursive under as (
        select unnest(a.department_ids) as id
        union select d.id from department d join under on d.parent_id = under.id)
      select 1 from operator_assignment x join under on under.id = x.department_id where x.operator_id = o.id)
  end
$$;
