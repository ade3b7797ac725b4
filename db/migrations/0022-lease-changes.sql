-- Every act on a running contract: leaving it, renewing it, changing its room, its tenant, its terms or its rooms.
alter table contract_act drop constraint contract_act_kind_check, drop constraint contract_act_state_check;
alter table contract_act
  add constraint contract_act_kind_check check
    (kind in ('settle', 'renew', 'changeRoom', 'changeTenant', 'amend', 'addRooms', 'returnRooms')),
  add constraint contract_act_state_check check
    (state in ('requested', 'inspecting', 'settling', 'handling', 'approving', 'confirming', 'signing', 'toPay', 'done',
      'rejected', 'cancelled')),
  -- the contract that a renewal, a change of room or of tenant leads to
  add column result_contract_id bigint references contract;
drop index contract_act_open;
create unique index contract_act_open on contract_act (contract_id)
  where state in ('requested', 'inspecting', 'settling', 'handling', 'approving', 'confirming', 'signing');
create index contract_act_result on contract_act (result_contract_id) where result_contract_id is not null;
