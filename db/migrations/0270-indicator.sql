-- Which figures a role sees on the workbench and the dashboard, in its order. A role without a row sees the default set.
create table indicator_role (
  role_id bigint primary key references role on delete cascade,
  codes text[] not null check (cardinality(codes) between 1 and 40 and array_position(codes, null) is null),
  updated_at timestamptz not null default now(), updated_by bigint references operator,
  version int not null default 1
);

-- How a figure is judged in a company: percent of the target from which it is green or amber, which way is better, the
-- target of a month that has none of its own (fen, or a share of one), and what it counts in a store's completion.
create table indicator_rule (
  enterprise_id bigint not null references enterprise,
  code text not null check (code ~ '^[a-zA-Z]{3,30}$'),
  better text not null check (better in ('more', 'less')),
  green_from int not null check (green_from between 2 and 200),
  amber_from int not null check (amber_from between 1 and 200),
  default_target numeric(18, 4) check (default_target >= 0),
  weight int not null check (weight between 0 and 100),
  updated_at timestamptz not null default now(), updated_by bigint references operator,
  version int not null default 1,
  primary key (enterprise_id, code),
  check (amber_from < green_from)
);
