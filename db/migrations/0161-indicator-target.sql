-- What the dashboard measures against: per indicator, store and month. Money in fen, rates as shares of one.
create table indicator_target (
  id bigint generated always as identity primary key,
  code text not null check (code ~ '^[a-zA-Z]{3,30}$'),
  village_id bigint not null references village,
  month date not null check (extract(day from month) = 1),
  value numeric(18, 4) not null check (value >= 0),
  source text not null default 'manual' check (source in ('manual', 'import', 'budget')),
  updated_at timestamptz not null default now(), updated_by bigint references operator,
  version int not null default 1,
  unique (code, month, village_id)
);
create index indicator_target_village on indicator_target (village_id, code, month);

-- Every change of a cell: nothing here is ever changed or removed.
create table indicator_target_change (
  id bigint generated always as identity primary key,
  code text not null,
  village_id bigint not null references village,
  month date not null,
  before numeric(18, 4),
  after numeric(18, 4),
  note text not null default '' check (char_length(note) <= 200),
  at timestamptz not null default now(),
  by bigint references operator
);
create index indicator_target_change_newest on indicator_target_change (village_id, id desc);
create trigger indicator_target_change_append_only before update or delete on indicator_target_change
  for each row execute function refuse_change();
