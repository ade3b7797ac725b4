-- What was confirmed is corrected by a new statement, never rewritten.
create or replace function sales_statement_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.state in ('draft', 'submitted') then return old; end if;
    raise exception 'a confirmed sales statement stays' using errcode = '23514', constraint = 'sales_statement_stays';
  end if;
  if old.state in ('confirmed', 'billed', 'corrected') and (new.gross, new.refunds, new.excluded, new.contract_id, new.from_date, new.charged)
    is distinct from (old.gross, old.refunds, old.excluded, old.contract_id, old.from_date, old.charged) then
    raise exception 'a confirmed sales statement stays' using errcode = '23514', constraint = 'sales_statement_stays';
  end if;
  return new;
end $$;

create or replace trigger sales_statement_stays before update or delete on sales_statement
  for each row execute function sales_statement_stays();
