-- Filters of the lists of contracts that may leave few of many.
create index contract_manager on contract (manager_operator_id, id desc) where manager_operator_id is not null;
create index contract_sign_mode on contract (sign_mode, id desc);
create index contract_source on contract (source, id desc);
create index contract_start on contract (village_id, start_date);
