-- The debtors of the arrears are put in order by everything that is late: what that reads stands in an index a quarter the size of
-- bill_owed, whose ten columns serve the sums of the list of bills.
create index bill_late on bill (village_id, due_date) include (outstanding, party_id, room_id, id)
  where outstanding > 0 and issued_at is not null and direction = 'receivable';
