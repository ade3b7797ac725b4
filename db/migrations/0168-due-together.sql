-- What is due next of a contract is all that is open of its bills of that day, not the first of them alone.
update contract_money m set next_due_fen = d.fen
from (
  select b.contract_id, sum(b.outstanding) fen from bill b join contract_money k on k.contract_id = b.contract_id and k.next_due_on = b.due_date
  where b.outstanding > 0 and b.voided_at is null and b.direction = 'receivable' group by 1) d
where d.contract_id = m.contract_id and m.next_due_fen <> d.fen;
