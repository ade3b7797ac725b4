-- What was agreed stays as it was agreed; an act that is taken back takes its own version with it, the last one.
create or replace function contract_terms_stay() returns trigger language plpgsql as $$
begin
  raise exception 'terms of a contract are changed by a new version' using constraint = 'contract_terms_stay', errcode = '23514';
end $$;
create or replace trigger contract_terms_stay before update on contract_terms
  for each row execute function contract_terms_stay();
