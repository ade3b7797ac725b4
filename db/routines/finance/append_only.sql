create or replace trigger journal_entry_append_only before update or delete on journal_entry for each row execute function refuse_change();

create or replace trigger journal_line_append_only before update or delete on journal_line for each row execute function refuse_change();

create or replace trigger allocation_append_only before update or delete on allocation for each row execute function refuse_change();

create or replace trigger billing_setting_append_only before update or delete on billing_setting
  for each row execute function refuse_change();

-- Emptying a table is a change of every row of it.
create or replace trigger journal_entry_never_emptied before truncate on journal_entry execute function refuse_change();

create or replace trigger journal_line_never_emptied before truncate on journal_line execute function refuse_change();

create or replace trigger allocation_never_emptied before truncate on allocation execute function refuse_change();

create or replace trigger billing_setting_never_emptied before truncate on billing_setting execute function refuse_change();

create or replace trigger accrual_row_append_only before update or delete on accrual_row for each row execute function refuse_change();

create or replace trigger accrual_row_never_emptied before truncate on accrual_row execute function refuse_change();
