-- What a late bill is about stands in the index of what is owed: arrears of all stores are then read from it alone.
drop index bill_owed;
create index bill_owed on bill (village_id, due_date, id)
  include (amount, adjusted, settled, written_off, outstanding, invoiced, direction, party_id, room_id, contract_id)
  where outstanding > 0 and issued_at is not null;
