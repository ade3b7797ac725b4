-- A further file of a contract is neither changed nor taken away, and there are twenty of them at most.
create or replace function contract_document_stays() returns trigger language plpgsql as $$
begin
  raise exception 'a further file of a contract stays' using constraint = 'contract_document_stays', errcode = '23514';
end $$;
create or replace trigger contract_document_stays before update or delete on contract_document
  for each row when (old.kind = 'further') execute function contract_document_stays();

create or replace function contract_document_most() returns trigger language plpgsql as $$
begin
  -- two that come at once count each other
  perform 1 from contract where id = new.contract_id for no key update;
  if (select count(*) from contract_document where contract_id = new.contract_id and kind = 'further') > 20 then
    raise exception 'too many further files' using constraint = 'contract_document_most', errcode = '23514';
  end if;
  return null;
end $$;
create or replace trigger contract_document_most after insert on contract_document
  for each row when (new.kind = 'further') execute function contract_document_most();
