create or replace trigger indicator_target_change_append_only before update or delete on indicator_target_change
  for each row execute function refuse_change();

create or replace trigger indicator_target_change_never_emptied before truncate on indicator_target_change execute function refuse_change();
