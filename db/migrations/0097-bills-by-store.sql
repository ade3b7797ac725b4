-- Bills by store are summed from the index that the list walks along: it carries what is summed.
create index bill_due_sums on bill (village_id, due_date, id)
  include (direction, status, issued_at, party_id, amount, adjusted, settled, written_off, outstanding, invoiced);
drop index if exists bill_due;
