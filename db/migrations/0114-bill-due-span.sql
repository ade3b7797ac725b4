-- The folded days of `bill_due` once more, by whole month, quarter and year: the bills of all time are summed from some rows a store.
create table bill_due_span (
  village_id bigint not null,
  unit text not null check (unit in ('month', 'quarter', 'year')),
  due_date date not null,
  direction text not null,
  status text not null,
  issued boolean not null,
  bills bigint not null,
  amount bigint not null,
  adjusted bigint not null,
  settled bigint not null,
  written_off bigint not null,
  outstanding bigint not null,
  uninvoiced bigint not null
);
create unique index bill_due_span_at on bill_due_span (village_id, unit, due_date, direction, status, issued)
  include (bills, amount, adjusted, settled, written_off, outstanding, uninvoiced);
