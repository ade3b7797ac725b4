-- A contract that waits for approval comes back as a draft or goes on to its signing, and stays as it was handed in.
create or replace function contract_waits() returns trigger language plpgsql as $$
begin
  if new.state not in ('approving', 'signing', 'draft') or new.state <> 'draft' and (new.terms, new.preview_hash,
      new.start_date, new.end_date) is distinct from (old.terms, old.preview_hash, old.start_date, old.end_date) then
    raise exception 'a contract that waits for approval stays' using errcode = '23514', constraint = 'contract_waits';
  end if;
  return new;
end $$;

create or replace trigger contract_waits before update on contract for each row
  when (old.state = 'approving') execute function contract_waits();
