-- what has been carried out stays as it was; a draft that was cancelled never was
create or replace function price_change_kept() returns trigger language plpgsql as $$
begin
  if exists (select from price_change where id = old.change_id and (state = 'scheduled' or state = 'cancelled' and applied_at is not null)) then
    raise exception 'the lines of a price change that was carried out are kept';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;

create or replace trigger price_change_kept before update or delete on price_change_line
  for each row execute function price_change_kept();
