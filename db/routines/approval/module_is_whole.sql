-- Every module has exactly one process without a condition, and it stands last; only that one may do without nodes.
create or replace function module_is_whole() returns trigger language plpgsql as $$
declare
  wanted bigint;
begin
  if tg_table_name = 'module' then wanted := new.id;
  elsif tg_op = 'DELETE' then wanted := old.module_id;
  else wanted := new.module_id;
  end if;
  if not exists (select from module where id = wanted) then return null; end if;
  if (select count(*) filter (where is_default) <> 1
        or max(order_num) filter (where is_default) is distinct from max(order_num)
      from process where module_id = wanted) then
    raise exception 'module % must have one default process, the last one', wanted
      using errcode = 'check_violation', constraint = 'module_default_last';
  end if;
  return null;
end $$;

drop trigger if exists module_whole on module;
create constraint trigger module_whole after insert or update on module
  deferrable initially deferred for each row execute function module_is_whole();

drop trigger if exists process_whole on process;
create constraint trigger process_whole after insert or update or delete on process
  deferrable initially deferred for each row execute function module_is_whole();
