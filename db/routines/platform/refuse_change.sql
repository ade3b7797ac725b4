-- Logs, keys against double acts, files, numbers, downloads.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create or replace trigger operation_log_append_only before update or delete on operation_log for each row execute function refuse_change();

create or replace trigger business_log_append_only before update or delete on business_log for each row execute function refuse_change();

create or replace trigger operation_log_never_emptied before truncate on operation_log execute function refuse_change();

create or replace trigger business_log_never_emptied before truncate on business_log execute function refuse_change();
