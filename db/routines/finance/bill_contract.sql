-- A bill hangs only on a contract that came into force and stands.
create or replace function bill_contract() returns trigger language plpgsql as $$
begin
  if exists (select from contracts_kept((select array_agg(distinct contract_id) from added)) where not bears) then
    raise exception '合同未生效或已作废' using errcode = 'check_violation', constraint = 'bill_contract';
  end if;
  return null;
end $$;

create or replace trigger bill_contract after insert on bill
  referencing new table as added for each statement execute function bill_contract();
