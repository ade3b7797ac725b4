-- A stamped statement may be over several stores: it is fetched through its own record.
update stored_file f set target_kind = 'statement' from statement_copy c where c.file_id = f.id;
