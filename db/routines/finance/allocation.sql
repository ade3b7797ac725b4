-- What is taken back is of the same line and the same money, and together never more than was paid. The line is locked, so
-- that two who take back at once see each other.
create or replace function allocation_undone() returns trigger language plpgsql as $$
begin
  perform from bill_line where id in (select bill_line_id from added where undoes_id is not null) order by id for no key update;
  if exists (
    select from added n join allocation a on a.id = n.undoes_id
    where a.undoes_id is not null or (n.bill_id, n.bill_line_id, n.kind, n.village_id) <> (a.bill_id, a.bill_line_id, a.kind, a.village_id)
      or n.flow_id is distinct from a.flow_id or sign(n.amount) = sign(a.amount)
      or abs(a.amount) < abs((select sum(amount) from allocation where undoes_id = a.id))) then
    raise exception 'more is taken back than was paid' using errcode = 'check_violation', constraint = 'allocation_undone';
  end if;
  return null;
end $$;

create or replace trigger allocation_undone after insert on allocation
  referencing new table as added for each statement execute function allocation_undone();
