-- What is invoiced stands in the sums by due day too, so that the totals of the bill list are read from them. They are made anew with
-- the routines.
drop function if exists bills_due(date, date);
delete from bill_due;
delete from bill_due_span;
alter table bill_due add invoiced bigint not null;
alter table bill_due_span add invoiced bigint not null;
drop index bill_due_at, bill_due_span_at;
create index bill_due_at on bill_due (village_id, due_date)
  include (direction, status, issued, bills, amount, adjusted, settled, written_off, outstanding, uninvoiced, invoiced);
create unique index bill_due_span_at on bill_due_span (village_id, unit, due_date, direction, status, issued)
  include (bills, amount, adjusted, settled, written_off, outstanding, uninvoiced, invoiced);
