create or replace trigger h5_version_append_only before update or delete on h5_version for each row execute function refuse_change();

create or replace trigger h5_version_never_emptied before truncate on h5_version execute function refuse_change();
