-- An entry is proved with every line that joins it: the proof of the entry alone was over once constraints were set to
-- be checked at once.
create or replace function journal_entry_guard() returns trigger language plpgsql as $$
begin
  if not exists (select from journal_line where entry_id = new.id) then
    raise exception '凭证不平衡' using errcode = 'check_violation';
  end if;
  return null;
end $$;

create function journal_line_proof() returns trigger language plpgsql as $$
begin
  if (select sum(debit) <> sum(credit) from journal_line
      where entry_id = new.entry_id and village_id is not distinct from new.village_id) then
    raise exception '凭证不平衡' using errcode = 'check_violation';
  end if;
  if exists (
    select from period_lock p join journal_entry e on e.id = new.entry_id and e.side = p.side
    where p.village_id = new.village_id and p.month = to_char(new.date, 'YYYY-MM')) then
    raise exception '该月已锁账' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create constraint trigger journal_line_proof after insert on journal_line
  deferrable initially deferred for each row execute function journal_line_proof();

-- Emptying a table is a change of every row of it.
create trigger journal_entry_never_emptied before truncate on journal_entry execute function refuse_change();
create trigger journal_line_never_emptied before truncate on journal_line execute function refuse_change();
create trigger allocation_never_emptied before truncate on allocation execute function refuse_change();
create trigger operation_log_never_emptied before truncate on operation_log execute function refuse_change();
create trigger business_log_never_emptied before truncate on business_log execute function refuse_change();
create trigger download_record_never_emptied before truncate on download_record execute function refuse_change();
create trigger h5_version_never_emptied before truncate on h5_version execute function refuse_change();
create trigger billing_setting_never_emptied before truncate on billing_setting execute function refuse_change();
create trigger indicator_target_change_never_emptied before truncate on indicator_target_change execute function refuse_change();
