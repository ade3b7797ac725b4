-- Bills by the day they are due and how they stand, from which the stores' bills of a month are summed.
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
  folded boolean not null default false
);
create index bill_due_at on bill_due (village_id, due_date)
  include (direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced);
create index bill_due_loose on bill_due (village_id, due_date) where not folded;
