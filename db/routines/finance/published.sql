-- What domains to the left ask of money.

-- Late money as it stood at the end of a day, bill by bill: what is open now, less what was booked since.
create or replace function owing_at(d date, villages bigint[])
returns table (bill_id bigint, village_id bigint, contract_id bigint, room_id bigint, party_id bigint, due_date date, outstanding bigint)
language sql stable as $$
with later as (
  select l.bill_id, sum(l.debit - l.credit)::bigint fen from journal_line l
  where l.account = '1122' and l.village_id = any (villages) and l.date > d and l.bill_id is not null group by 1
)
select b.id, b.village_id, b.contract_id, b.room_id, b.party_id, b.due_date, b.outstanding - l.fen
from later l join bill b on b.id = l.bill_id
where b.due_date < d and b.issued_at is not null and b.outstanding <> l.fen
union all
select b.id, b.village_id, b.contract_id, b.room_id, b.party_id, b.due_date, b.outstanding
from receivable_open b
where b.village_id = any (villages) and b.due_date < d and not exists (select from later l where l.bill_id = b.id)
$$;
