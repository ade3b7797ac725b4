-- What domains to the left read of approvals.
create or replace view examine_brief as
  select id, examine_no from examine;
