-- The screen and the record that show what waits, where they are not those of its type.
alter table examine add column opens_page text, add column opens_id bigint,
  add constraint examine_opens check ((opens_page is null) = (opens_id is null));

-- A contract that waits for approval is not signed yet: its deadline runs from the approval.
alter table contract add constraint contract_waits_without_deadline
  check (state <> 'approving' or sign_deadline is null);
