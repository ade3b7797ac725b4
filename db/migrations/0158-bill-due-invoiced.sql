-- What is invoiced stands in the sums by due day too, so that the totals of the bill list are read from them. They are made anew with
-- the routines.
drop function if exists bills_due(date, date);
drop table bill_due cascade;
drop table bill_due_span cascade;
create table bill_due (
  village_id bigint not null,
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
  uninvoiced bigint not null,
  invoiced bigint not null,
  folded boolean not null default false
);
create index bill_due_at on bill_due (village_id, due_date)
  include (direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced, invoiced);
create index bill_due_loose on bill_due (village_id, due_date) where not folded;
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
  uninvoiced bigint not null,
  invoiced bigint not null
);
create unique index bill_due_span_at on bill_due_span (village_id, unit, due_date, direction, status, issued)
  include (bills, amount, adjusted, settled, written_off, outstanding, uninvoiced, invoiced);
