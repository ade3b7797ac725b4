-- A company exchanges rooms of its contract, and rooms that join are held between handing in and confirmation.
alter table contract_act drop constraint contract_act_kind_check;
alter table contract_act
  add constraint contract_act_kind_check check
    (kind in ('settle', 'renew', 'changeRoom', 'changeTenant', 'amend', 'addRooms', 'returnRooms', 'exchangeRooms')),
  -- until when the rooms of an act that was handed in are held for it
  add column hold_until timestamptz,
  add constraint contract_act_hold_check check (hold_until is null or state in ('approving', 'signing'));
create index contract_act_hold on contract_act (hold_until) where hold_until is not null;
