create or replace trigger download_record_append_only before update or delete on download_record for each row execute function refuse_change();

create or replace trigger download_record_never_emptied before truncate on download_record execute function refuse_change();
