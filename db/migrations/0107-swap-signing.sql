-- Two contracts that swap their rooms are presented together, as one pair of papers that both tenants sign: the signing stands on
-- one of them and names the other.
alter table sign_flow
  add other_contract_id bigint references contract,
  add constraint sign_flow_other check
    (other_contract_id is null or doc_kind = 'changeRoom' and other_contract_id <> contract_id);
create unique index sign_flow_live_pair
  on sign_flow (least(contract_id, other_contract_id), greatest(contract_id, other_contract_id))
  where ended_at is null and other_contract_id is not null;
create unique index sign_flow_live_other on sign_flow (other_contract_id)
  where ended_at is null and other_contract_id is not null;
create index sign_flow_other_contract on sign_flow (other_contract_id, id desc) where other_contract_id is not null;

alter table sign_signer drop constraint sign_signer_role_check, add constraint sign_signer_role_check
  check (role in ('party', 'previousParty', 'otherParty', 'occupantGuarantor', 'enterprise'));
