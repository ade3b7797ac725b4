-- What domains to the left read of pages: the agreements by type, and the day from which each version holds.
create or replace view agreement_version as
  select p.agreement_type as type, v.number, v.effective_day from h5_version v join h5_page p on p.id = v.page_id
  where p.kind = 'agreement';
