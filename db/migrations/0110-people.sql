-- People: whose identity was checked, who looks on as whom, what has been arranged of the menus, who applied.

alter table operator add column verified boolean not null default false;

-- A session that shows the console as somebody else sees it: it only reads, and ends with the right of who opened it.
alter table login_session
  add column view_by bigint references operator on delete cascade,
  add column last_seen_at timestamptz;
create index login_session_viewer on login_session (view_by) where ended_at is null;

-- What people made of a function. Name and order of the release stay beside, so that a change can be told from it.
alter table function_node
  add column id bigint generated always as identity unique,
  add column icon text not null default '',
  add column hidden boolean not null default false,
  add column remark text not null default '' check (length(remark) <= 200),
  -- came with a release: path, code and place are fixed
  add column built_in boolean not null default true,
  add column released_name text,
  add column released_order int,
  add column version int not null default 1,
  add constraint function_node_name check (length(name) between 1 and 30),
  -- the console opens it in a window of its own: never a script
  add constraint function_node_link check (built_in or path is null or path ~ '^https?://');
create unique index function_node_page_code on function_node (permission_id) where level < 3;
create unique index function_node_authority_code on function_node (permission_id) where level = 3 and action is null;

-- Functions that count: switched on themselves, and so is everything above them.
create view function_open as
  select n.key from function_node n
  left join function_node p on p.key = n.parent_key
  left join function_node g on g.key = p.parent_key
  where n.enabled and coalesce(p.enabled, true) and coalesce(g.enabled, true);

-- Grows with every change of the functions, so that what a server remembers of them is never out of date.
create table function_generation (
  one boolean primary key default true check (one),
  generation bigint not null default 1
);
insert into function_generation default values;
create function count_functions() returns trigger language plpgsql as $$
begin
  update function_generation set generation = generation + 1;
  return null;
end $$;
create trigger function_node_counted after insert or update or delete on function_node
  for each statement execute function count_functions();

create table register_application (
  id bigint generated always as identity primary key,
  number text not null unique,
  company_name text not null check (length(company_name) between 2 and 30),
  real_name text not null,
  account text not null,
  phone text not null,
  state text not null default 'waiting' check (state in ('waiting', 'enabled', 'refused')),
  reason text not null default '',
  -- made with it; the operator is gone again when it is refused
  enterprise_id bigint references enterprise on delete set null,
  operator_id bigint references operator on delete set null,
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  decided_by bigint references operator,
  version int not null default 1
);
create index register_application_phone on register_application (phone, id desc);
create index register_application_state on register_application (state, id desc);
