-- What domains to the left read of files.
create or replace view file_brief as
  select id, name, type, storage_key from stored_file;
